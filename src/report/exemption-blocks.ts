import { isJsonObject, type Json } from '../model/json.js';
import type { Metric } from '../model/limits.js';
import { plural } from '../model/words.js';
import type { ExemptionReport, RuleFigures } from '../replay/rules-result.js';
import { type Block, heading, paragraph, strong, tableBlocks } from './blocks.js';
import { escapeTerminal, nameText } from './escape.js';
import { formatCount } from './format.js';
import { restNote } from './groups.js';
import { success, successes } from './population.js';
import { figureCells, figureColumns } from './rules-figures.js';

/** Tools meant to poll: what exempting them changes, and how to. */
export function exemptionBlocks(report: ExemptionReport, population: string, metric: Metric): Block[] {
  return [
    heading('Exemptions'),
    paragraph(`Rules: ${report.rules.map(ruleName).join('; ')}.`),
    ...candidateTable(report, metric),
    ...verdictBlocks(report, population, metric),
  ];
}

/** `repeat call 3`, with what else is set. */
function ruleName(rule: Json): string {
  if (!isJsonObject(rule)) return '';
  const { rule: kind, name: _name, key, count, ...rest } = rule;
  const others = Object.entries(rest).map(([setting, value]) => `${setting} ${nameText(flow(value))}`);
  const words = [kind, key, count].filter((word) => word !== undefined);
  return [...words, ...others].join(' ');
}

function candidateTable({ candidates, before, more_candidates }: ExemptionReport, metric: Metric): Block[] {
  if (candidates.length === 0) return [];
  return tableBlocks({
    title: 'If one tool alone were exempt',
    columns: [{ header: 'exempt', align: 'left' }, { header: 'successes', align: 'right' }, ...figureColumns(metric)],
    rows: [
      ['(as it is)', '-', ...figureCells(before, metric)],
      ...candidates.map(({ tool, successes, alone }) => [tool, formatCount(successes), ...figureCells(alone, metric)]),
    ],
    notes: ['successes: those that are stopped unless this tool is exempt', ...restNote(more_candidates)],
  });
}

function verdictBlocks(report: ExemptionReport, population: string, metric: Metric): Block[] {
  const { before, proposed, candidates } = report;
  if (before.false_stops.rate === null)
    return [paragraph(`There are no ${successes(population)}: whether an exemption saves one is unknown.`)];
  if (before.false_stops.count === 0) return [paragraph(`No ${success(population)} is stopped: nothing to exempt.`)];
  if (candidates.length === 0) return [paragraph('Passes, not calls, trip the rule: no exemption helps.')];
  if (proposed.length === 0) {
    return [paragraph('Nothing is proposed: no exemption saves more successes than it loses catches.')];
  }
  return [
    strong(`Proposed: exempt ${proposed.map((tool) => nameText(tool)).join(', ')}.`),
    ...stepTable(report, metric),
    paragraph(changeText(before, report.after)),
    ...(proposed.every(isTypable)
      ? [
          paragraph('Flags for calibrate and rules, and the same in a policy file:'),
          { kind: 'pre', lines: [flags(proposed), '', ...yamlLines(report)] } as const,
        ]
      : [paragraph('In a policy file:'), { kind: 'pre', lines: yamlLines(report) } as const]),
  ];
}

/** One step of one tool says what the table of candidates has said. */
function stepTable({ before, steps, proposed }: ExemptionReport, metric: Metric): Block[] {
  if (proposed.length === 1) return [];
  return tableBlocks({
    title: 'Step by step',
    columns: [{ header: 'exempt', align: 'left' }, ...figureColumns(metric)],
    rows: [
      ['(as it is)', ...figureCells(before, metric)],
      ...steps.map(({ tools, after }) => [
        `+ ${tools.map((tool) => nameText(tool)).join(', ')}`,
        ...figureCells(after, metric),
      ]),
    ],
    notes: [],
  });
}

function changeText(before: RuleFigures, after: RuleFigures): string {
  const lost = before.caught - after.caught;
  const catches = lost > 0 ? `${plural(lost, 'catch', 'catches')} lost` : 'no catch lost';
  const idle =
    after.caught === 0 && lost > 0
      ? ' The rules then catch no run at all here: the repeats that they saw were polling.'
      : '';
  return `False stops ${formatCount(before.false_stops.count)} -> ${formatCount(after.false_stops.count)}, ${catches}.${idle}`;
}

/** Words that a shell takes as they stand. */
const PLAIN_WORD = /^[A-Za-z0-9_./:@%+][\w./:@%+=-]*$/;

/** Whether a name shows as itself, so that what is printed can be pasted; in YAML others are written out. */
function isTypable(tool: string): boolean {
  return escapeTerminal(tool) === tool;
}

function flags(tools: readonly string[]): string {
  const quoted = (tool: string): string => (PLAIN_WORD.test(tool) ? tool : `'${tool.replaceAll("'", `'\\''`)}'`);
  return tools.map((tool) => `--exempt ${quoted(tool)}`).join(' ');
}

/** The rules with the proposal, as YAML: one flow mapping a rule, texts quoted where they must be. */
function yamlLines({ rules, proposed }: ExemptionReport): string[] {
  return ['rules:', ...rules.filter(isJsonObject).map((rule) => `  - ${flow(withExempt(rule, proposed))}`)];
}

function withExempt(rule: { readonly [key: string]: Json }, tools: readonly string[]): Json {
  // It counts passes, and one with exempt calls only is not idle: an exemption changes nothing there.
  if (rule.rule === 'idle') return rule;
  const own = Array.isArray(rule.exempt) ? rule.exempt : [];
  return { ...rule, exempt: [...own, ...tools] };
}

function flow(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (isJsonObject(value))
    return `{${Object.entries(value)
      .map(([key, each]) => `${key}: ${flow(each)}`)
      .join(', ')}}`;
  return typeof value === 'string' && SURE_TEXT.test(value) && !NOT_TEXT.test(value) ? value : JSON.stringify(value);
}

/** Plain scalars that no reader takes for anything but text. */
const SURE_TEXT = /^[A-Za-z][\w-]*$/;
const NOT_TEXT = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;
