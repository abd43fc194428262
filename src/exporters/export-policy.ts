import type { Policy } from '../policy/policy.js';
import type { Export, Exporter, Written } from './exporter.js';
import { lossesOf } from './losses.js';
import { commentLines, commentMark, quoted } from './quote.js';

/** A policy as the settings of one framework. Pure: the same policy gives the same text. */
export function exportPolicy(exporter: Exporter, policy: Policy): Export {
  const written = exporter.write(policy);
  const losses = lossesOf(policy, exporter.says);
  const value: Omit<Export, 'text'> = {
    id: exporter.id,
    title: exporter.title,
    language: exporter.language,
    settings: written.settings,
    checkedAgainst: exporter.checked,
    callerReceives: exporter.receives,
    billedCalls: billedCalls(exporter, policy),
    differs: [...losses.differs, ...(written.differs ?? []), ...exporter.quirks],
    cannotExpress: [...losses.cannot, ...(written.cannot ?? [])],
  };
  return { ...value, text: textOf(value, policy, written) };
}

function billedCalls({ billed, billedNote }: Exporter, { caps: { passes } }: Policy): Export['billedCalls'] {
  const known = passes === undefined || billed === 'not known' ? null : billed === 'N' ? passes : passes + 1;
  return { rule: billed, calls: known, note: billedNote };
}

/** What is known of the export, a line each: the head of the snippet and the notes on standard error. */
export function notesOf(value: Omit<Export, 'text'>): string[] {
  const { checkedAgainst, callerReceives, differs, cannotExpress } = value;
  return [
    `Checked against: ${checkedAgainst.version} (${checkedAgainst.how}).`,
    `When the pass cap fires, the caller receives: ${callerReceives}.`,
    `Model calls billed: ${billedWords(value.billedCalls)}.`,
    ...(differs.length > 0 ? ['Not quite as the policy means it:', ...differs.map((each) => `  - ${each}`)] : []),
    ...(cannotExpress.length > 0
      ? ['Asked for by this policy, and not said here:', ...cannotExpress.map((each) => `  - ${each}`)]
      : []),
  ];
}

function billedWords({ rule, calls, note }: Export['billedCalls']): string {
  const figure = calls === null ? '' : `, here ${calls}`;
  return `${rule === 'not known' ? rule : `${rule} under a pass cap of N${figure}`}${note === '' ? '' : `; ${note}`}`;
}

function textOf(value: Omit<Export, 'text'>, policy: Policy, { code }: Written): string {
  const mark = commentMark(value.language);
  const head = mark === null ? [] : headOf(value, policy, mark);
  return `${[...head, ...code].join('\n')}\n`;
}

function headOf(value: Omit<Export, 'text'>, policy: Policy, mark: string): string[] {
  const name = policy.name === null ? 'A stop policy' : `The stop policy ${quoted(policy.name)}`;
  const lines = [`${name} as settings of ${value.title}, written by capfit export.`, ...notesOf(value)];
  return [...lines.flatMap((line) => commentLines(mark, line, /^ *- /.test(line) ? '    ' : '')), ''];
}
