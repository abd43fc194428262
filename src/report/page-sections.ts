import type { Calibration } from '../replay/calibrate.js';
import { hidesAnything } from '../replay/hidden.js';
import { type Block, facts, heading, list, paragraph, strong } from './blocks.js';
import { buildCard } from './card.js';
import { cardBlocks } from './card-blocks.js';
import { deriveBlocks } from './derive-blocks.js';
import { diagnosisBlocks } from './diagnosis-blocks.js';
import { formatOf, plural } from './format.js';
import { hiddenBlocks } from './hidden-blocks.js';
import { ladderBlocks } from './ladder-blocks.js';
import type { PageSection } from './page-html.js';
import { populationText } from './sentences.js';
import { sureBlocks } from './sure-blocks.js';

/** How the page came to be, for whoever wants to make it again. */
export interface Making {
  readonly version: string;
  readonly command: string;
  readonly fingerprint: string | null;
  readonly source: string | null;
}

/** The part with the controls. @param held runs that the page holds @param of all that it is about */
export function panelSection(held: number, of: number): PageSection {
  const sample =
    held < of
      ? [
          strong(
            `This page holds a sample of ${formatOf(held, of)} runs, drawn evenly from each kind of ending: figures and charts that follow the controls are of the sample.`,
          ),
        ]
      : [];
  return {
    id: 'whatif',
    title: 'What if?',
    isLive: true,
    blocks: [
      paragraph(
        `Move a cap: ${held === 1 ? 'the one run is' : `all ${plural(held, 'run')} are`} replayed under it at once.`,
      ),
      ...sample,
    ],
  };
}

/** The other parts of the report page in their order. */
export function pageSections(calibration: Calibration, making: Making): PageSection[] {
  const { report, policy, recorded, caps, whole } = calibration;
  const { derive, hidden } = report;
  const hiddenTold = withoutTitle(hiddenBlocks(hidden, derive.accepted_rate, { verbose: true }));
  return [
    {
      id: 'sizes',
      title: 'How large runs are',
      isLive: true,
      blocks: [],
      folded: {
        summary: 'Percentiles, their intervals, and the caps that they give',
        blocks: withoutTitle(deriveBlocks(derive, { warnings: false })),
      },
    },
    { id: 'figures', title: 'What it would do', isLive: true, blocks: [] },
    { id: 'spend', title: 'Where the spend goes', isLive: true, blocks: [] },
    {
      id: 'ladder',
      title: 'The ladder of today’s policy',
      isLive: false,
      blocks: withoutTitle(
        ladderBlocks([
          { step: 'as recorded', replay: recorded },
          { step: 'caps alone', replay: caps },
          ...(policy.rules.length > 0 ? [{ step: 'caps and rules', replay: whole }] : []),
        ]),
      ),
    },
    {
      id: 'incidence',
      title: 'When runs succeed',
      isLive: true,
      ...(hidesAnything(hidden)
        ? { blocks: [], folded: { summary: 'What the recording hid', blocks: hiddenTold } }
        : { blocks: hiddenTold }),
    },
    {
      id: 'sure',
      title: 'How sure today’s policy is',
      isLive: false,
      blocks: withoutTitle(sureBlocks(report.cross_validated, derive)),
    },
    { id: 'frontier', title: 'What better caps would cost', isLive: true, blocks: [paragraph(FRONTIER)] },
    { id: 'reasons', title: 'Why runs are stopped', isLive: true, blocks: [] },
    { id: 'cut', title: 'Runs that are cut', isLive: true, blocks: [] },
    {
      id: 'diagnosis',
      title: 'Diagnosis of today’s policy',
      isLive: false,
      blocks: withoutTitle(diagnosisBlocks(report.diagnosis)),
    },
    { id: 'method', title: 'How it counts, and its limits', isLive: false, blocks: [list(METHOD)] },
    { id: 'again', title: 'How to make this page again', isLive: false, blocks: againBlocks(making) },
    {
      id: 'card',
      title: 'The card of today’s policy',
      isLive: false,
      blocks: withoutTitle(cardBlocks(buildCard(policy, { derive, replay: whole }))),
    },
  ];
}

/** What stands below the page's title. */
export function pageSummary({ whole }: Calibration): string[] {
  return [populationText(whole.runs, whole.verified, whole.population, whole.passed_unfinished)];
}

const FRONTIER =
  'Each point is a combination of the usual caps, under the rules of today’s policy: no other stops fewer good runs for as little spend. From one to the next it shows what the next good run costs.';

const METHOD = [
  'A pass is one model call and everything it set off until the next one.',
  'Only runs that a program verified count as successes; what an agent says of itself is a claim.',
  'A percentile is by nearest rank: a value that occurred. A cap is the percentile times the padding, rounded up.',
  'A policy is asked before every model call: the pass that crosses a cap is still billed, and the last pass stops nothing.',
  'The recorded behaviour is taken as given: an agent that is told its budget may behave differently.',
  'A replay can shorten a run, never lengthen it: a policy looser than the recording is answered by bounds.',
  'An interval says what so few runs can tell; it does not cover traffic that changes.',
];

function againBlocks({ version, command, fingerprint, source }: Making): Block[] {
  return [
    { kind: 'pre', lines: [command] },
    facts([
      { term: 'Made by', text: `capfit ${version}` },
      ...(fingerprint === null ? [] : [{ term: 'Fingerprint of the runs', text: fingerprint }]),
      ...(source === null ? [] : [{ term: 'Source', text: source }]),
    ]),
  ];
}

/** The section says the first heading; those that follow stand one level lower. */
function withoutTitle(blocks: readonly Block[]): Block[] {
  const [first, ...rest] = blocks;
  const kept = first?.kind === 'heading' ? rest : [...blocks];
  return kept.map((block) => (block.kind === 'heading' ? heading(block.text, 2) : block));
}
