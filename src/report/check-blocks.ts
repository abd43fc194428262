import type { CheckFinding, CheckReport, Judgement } from '../replay/check-result.js';
import { type Block, type Fact, facts, heading, type ListItem, paragraph, strong } from './blocks.js';
import { plural } from './format.js';
import { populationBlocks } from './population.js';
import { populationText } from './sentences.js';

/** Whether the runs still fit the policy, as `check` prints it: one line a finding, which number, which bound. */
export function checkBlocks(check: CheckReport): Block[] {
  return [
    heading('Check'),
    ...populationBlocks(check.population),
    paragraph(populationText(check.runs, check.verified, check.population, 0)),
    strong(checkVerdict(check)),
    facts(check.checks.map(judgementFact)),
    ...findingBlocks(check.findings),
  ];
}

/** `Failed: 2 errors, 1 warning.` */
export function checkVerdict({ passed, findings }: CheckReport): string {
  const [errors, warnings] = (['error', 'warning'] as const).map(
    (severity) => findings.filter((finding) => finding.severity === severity).length,
  ) as [number, number];
  const parts = [
    ...(errors > 0 ? [plural(errors, 'error')] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
  ];
  return `${passed ? 'Passed' : 'Failed'}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}.`;
}

function judgementFact({ title, outcome, figure, bound }: Judgement): Fact {
  return { term: title, text: `${outcome}: ${figure}${outcome === 'off' ? '' : `; bound: ${bound}`}` };
}

function findingBlocks(findings: readonly CheckFinding[]): Block[] {
  if (findings.length === 0) return [];
  const items: ListItem[] = findings.map(({ severity, message, code, hint }) => ({
    text: `${severity}: ${message} (${code})`,
    hint,
  }));
  return [heading('Findings'), { kind: 'list', ordered: false, items }];
}
