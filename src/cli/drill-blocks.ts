import { nearest } from '../formats/nearest.js';
import type { DrillVerdict, ScenarioVerdict } from '../guard/drill/judge.js';
import type { Expected, Scenario } from '../guard/drill/scenario.js';
import { plural } from '../model/words.js';
import { type Block, heading, type ListItem, paragraph, strong } from '../report/blocks.js';
import { nameText } from '../report/escape.js';
import { formatCount } from '../report/format.js';

/** The scenarios as a table: what each does, and what the caller must get. */
export function scenarioBlocks(scenarios: readonly Scenario[]): Block[] {
  return [
    paragraph(
      'Drive your own loop with these scenarios (--scenarios prints them as JSON) and judge what its callers got with --results FILE.',
    ),
    {
      kind: 'table',
      table: {
        title: null,
        columns: [
          { header: 'scenario', align: 'left' },
          { header: 'what it does', align: 'left' },
          { header: 'the caller must get', align: 'left' },
        ],
        rows: scenarios.map(({ id, title, expect }) => [id, title, gets(expect)]),
        notes: [],
      },
    },
  ];
}

function gets({ status, reason }: Expected): string {
  return reason === null ? status : `${status}: ${reason}`;
}

/** The verdict, the scenarios that did not pass first and each fault with its field. */
export function verdictBlocks(verdict: DrillVerdict): Block[] {
  const { counts, scenarios, unknown } = verdict;
  const wrong = scenarios.filter((each) => each.verdict !== 'passed');
  const summary = `${formatCount(counts.passed)} of ${plural(scenarios.length, 'scenario')} passed.`;
  if (verdict.passed) return [paragraph(summary)];
  const ids = scenarios.map(({ scenario }) => scenario);
  const items = [...wrong.flatMap(verdictItems), ...unknown.map((id) => unknownItem(id, ids))];
  return [strong(summary), heading('What is wrong'), { kind: 'list', ordered: false, items }];
}

function verdictItems({ scenario, title, verdict, faults }: ScenarioVerdict): ListItem[] {
  const name = `${scenario} (${title})`;
  if (verdict === 'missing') return [{ text: `${name}: no result`, hint: 'drive the loop with this scenario too' }];
  if (verdict === 'repeated') return [{ text: `${name}: several results`, hint: 'give one result a scenario' }];
  return faults.map(({ message }) => ({ text: `${name}: ${message}`, hint: null }));
}

function unknownItem(id: string, known: readonly string[]): ListItem {
  const near = nearest(id, known);
  const hint = near === null ? 'capfit drill lists the scenarios' : `did you mean ${near}?`;
  return { text: `${nameText(id)}: there is no such scenario`, hint };
}
