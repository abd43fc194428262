import type { Policy } from '../policy/policy.js';
import type { Export, Exporter, Written } from './exporter.js';
import { lossesOf } from './losses.js';
import { commentLines, commentMark, quoted } from './quote.js';

/** A policy as the settings of one framework. Pure: the same policy gives the same text. */
export function exportPolicy(exporter: Exporter, policy: Policy): Export {
  const written = exporter.write(policy);
  const losses = lossesOf(policy, exporter.says, written.unsaid);
  const value: Omit<Export, 'text'> = {
    id: exporter.id,
    title: exporter.title,
    language: exporter.language,
    settings: written.settings,
    checkedAgainst: exporter.checked,
    passCap: policy.caps.passes ?? null,
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
  return [
    `Checked against: ${value.checkedAgainst.version} (${value.checkedAgainst.how}).`,
    ...(value.passCap === null
      ? ['This policy has no cap on passes.']
      : [
          `At ${value.passCap} passes the caller receives: ${value.callerReceives}.`,
          `Model calls billed by then: ${billedWords(value.billedCalls)}.`,
        ]),
    ...listed('Not quite as the policy means it:', value.differs),
    ...listed('Asked for by this policy, and not said here:', value.cannotExpress),
  ];
}

function listed(opening: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [opening, ...entries.map((each) => `  - ${each}`)];
}

function billedWords({ rule, calls, note }: Export['billedCalls']): string {
  const figure = calls === null ? rule : `${calls} (${rule} under a cap of N)`;
  return note === '' ? figure : `${figure}; ${note}`;
}

function textOf(value: Omit<Export, 'text'>, policy: Policy, { code }: Written): string {
  const mark = commentMark(value.language);
  const head = mark === null ? [] : headOf(value, policy, mark);
  return `${[...head, ...code].join('\n')}\n`;
}

function headOf(value: Omit<Export, 'text'>, policy: Policy, mark: string): string[] {
  const name = policy.name === null ? 'A stop policy' : `The stop policy ${quoted(policy.name)}`;
  const lines = [`${name} for ${value.title}, written by capfit export.`, ...notesOf(value)];
  return [...lines.flatMap((line) => commentLines(mark, line, /^ *- /.test(line) ? '    ' : '')), ''];
}
