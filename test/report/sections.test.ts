import { describe, expect, test } from 'vitest';
import type { GroupReport, ReplayReport } from '../../src/replay/result.js';
import type { Block } from '../../src/report/blocks.js';
import { deriveBlocks } from '../../src/report/derive-blocks.js';
import { diagnosisBlocks } from '../../src/report/diagnosis-blocks.js';
import { ladderBlocks } from '../../src/report/ladder-blocks.js';
import { renderMarkdown } from '../../src/report/render-markdown.js';
import { renderText } from '../../src/report/render-text.js';
import { replayBlocks } from '../../src/report/replay-blocks.js';
import {
  capReport,
  DERIVE,
  DOUBTFUL_REPLAY,
  EMPTY_DERIVE,
  EMPTY_REPLAY,
  HOSTILE_NAMES,
  PASSES_QUANTILES,
  REPLAY,
  UNSAFE_OUTPUT,
  widestLine,
} from './fixtures.js';

const RECORDED: ReplayReport = {
  ...REPLAY,
  verified_finished: 310,
  false_stops: { count: 0, rate: 0, ci95: [0, 0.0118], runs: [] },
  by_status: { ...REPLAY.by_status, stopped_budget: 79 },
  spend: { ...REPLAY.spend, tokens: { recorded: 198_400_000, replayed: 198_400_000, reduction: 0, known_runs: 400 } },
};
const CAPS: ReplayReport = {
  ...REPLAY,
  spend: {
    ...REPLAY.spend,
    tokens: { recorded: 198_400_000, replayed: 53_600_000, reduction: 1 - 536 / 1984, known_runs: 400 },
  },
};
const LADDER = [
  { step: 'as recorded', replay: RECORDED },
  { step: 'caps alone', replay: CAPS },
  { step: 'caps and repeat rule', replay: REPLAY },
];

function group(value: string | null, own: Partial<GroupReport>): GroupReport {
  const { groups: _groups, policy: _policy, schema: _schema, ...rest } = REPLAY;
  return { ...rest, labels: { kind: value }, ...own };
}

const GROUPS = [
  group('success', {}),
  group(null, { verified: 0, false_stops: { count: 0, rate: null, ci95: null, runs: [] } }),
];

const SECTIONS: readonly (readonly [name: string, blocks: Block[]])[] = [
  ['derive', deriveBlocks({ ...DERIVE, groups: [{ ...DERIVE, labels: { kind: 'success' } }] })],
  ['replay', replayBlocks({ ...REPLAY, groups: GROUPS })],
  ['replay-doubtful', replayBlocks(DOUBTFUL_REPLAY)],
  ['ladder', ladderBlocks(LADDER)],
  ['diagnosis', diagnosisBlocks(DERIVE.warnings)],
  ['nothing', [...deriveBlocks(EMPTY_DERIVE), ...replayBlocks(EMPTY_REPLAY), ...diagnosisBlocks([])]],
];

function text(blocks: readonly Block[], width = 80): string {
  return renderText(blocks, { width, color: false });
}

/** As one line, so that a sentence is found however it is wrapped. */
function spoken(blocks: readonly Block[]): string {
  return text(blocks).replace(/\s+/g, ' ');
}

describe.each(SECTIONS)('%s', (name, blocks) => {
  test.each([80, 140])('as text at %d columns', async (width) => {
    expect(widestLine(text(blocks, width))).toBeLessThanOrEqual(width);
    await expect(`${text(blocks, width)}\n`).toMatchFileSnapshot(`golden/${name}-${width}.txt`);
  });

  test('in Markdown', async () => {
    await expect(`${renderMarkdown(blocks)}\n`).toMatchFileSnapshot(`golden/${name}.md`);
  });

  test('fits a narrow terminal, and colour changes no character', () => {
    for (const width of [24, 40, 60]) expect(widestLine(text(blocks, width))).toBeLessThanOrEqual(width);
    const colored = renderText(blocks, { width: 80, color: true });
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(text(blocks));
  });

  test('prints no NaN, null or undefined', () => {
    for (const output of [text(blocks), renderMarkdown(blocks)])
      expect(output).not.toMatch(/NaN|Infinity|null|undefined/);
  });
});

describe('deriveBlocks', () => {
  test('names the method beside the percentiles', () => {
    expect(text(deriveBlocks(DERIVE))).toContain('Percentiles (nearest rank)');
    const linear = {
      ...DERIVE,
      quantiles: { ...DERIVE.quantiles, passes: { ...PASSES_QUANTILES, method: 'linear' as const } },
    };
    expect(text(deriveBlocks(linear))).toContain('Percentiles (linear, R type 7)');
  });

  test('gives each cap its own rank where the metrics know different runs', () => {
    const caps = {
      ...DERIVE.caps,
      tokens: capReport({ cap: 460_000, quantile: 376_035, padded: 451_242, rank: 298, n: 301 }),
    };
    const output = text(deriveBlocks({ ...DERIVE, caps }));
    expect(output).toContain('[1] nearest rank 307 of 310');
    expect(output).toContain('[2] nearest rank 298 of 301');
  });

  test('shows the interval of the percentile in force', () => {
    const quantiles = {
      ...PASSES_QUANTILES,
      'p99.5': 24,
      ci95: { 'p99.5': [null, 30] as const },
      upper95: { 'p99.5': 31 },
    };
    const output = text(
      deriveBlocks({ ...DERIVE, accepted_rate: 0.005, quantiles: { ...DERIVE.quantiles, passes: quantiles } }),
    );
    expect(output).toMatch(/passes +p99\.5 +24 +up to 30 +31/);
  });

  test('without successes there is no percentile and no cap, and it says so', () => {
    expect(spoken(deriveBlocks(EMPTY_DERIVE))).toContain(
      'No percentile: no success gives a figure. No cap could be derived.',
    );
  });

  test('leaves the warnings out when they are shown elsewhere', () => {
    expect(text(deriveBlocks(DERIVE, { warnings: false }))).not.toContain('small-sample');
  });
});

describe('replayBlocks', () => {
  test('opens with the good runs cut off and the spend saved', () => {
    expect(spoken(replayBlocks(REPLAY))).toContain(
      '307 of 310 verified successes finish. False stops: 3 of 310 verified successes = 0.97 % (exact 95 % interval 0.20 % to 2.80 %). Spend 198.4 M -> 36.7 M tokens, -81.5 %.',
    );
  });

  test('lists twenty false stops and counts the rest', () => {
    const runs = Array.from({ length: 23 }, (_, i) => ({ id: `run-${i}`, reason: 'passes', after_passes: 26 }));
    const output = text(replayBlocks({ ...REPLAY, false_stops: { ...REPLAY.false_stops, count: 23, runs } }));
    expect(output).toMatch(/run-19 .*\n\[1\] … and 3 more, see --json/);
    expect(output).not.toContain('run-20');
    const twenty = text(
      replayBlocks({ ...REPLAY, false_stops: { ...REPLAY.false_stops, count: 20, runs: runs.slice(0, 20) } }),
    );
    expect(twenty).not.toContain('more, see --json');
  });

  test('says what is claimed, censored, approximate, not judged and recorded', () => {
    const output = spoken(replayBlocks(DOUBTFUL_REPLAY));
    for (const sentence of [
      "Population: claimed, not verified. Some of these successes are the agent's word only.",
      '400 runs, 310 successes (claimed, not verified) (77.5 %). 4 of them were recorded as stopped, halted or running.',
      'Spend in tokens is unknown.',
      'By claim completed 300, blocked 12.',
      'Recorded stops that stand, by their recorded reason: passes 7, unknown 1.',
      'Not judged for lack of the figure: seconds in 2 runs.',
      'Censored 8 runs were stopped while recording',
      'If none of them would succeed: 307 of 310 finish, false stops 0.97 %; if all would, before this policy stops them: 315 of 318 finish, false stops 0.94 %; if all would, but only beyond it: false stops 1.94 %.',
      'Approximate 5 runs are known in total only; 8 runs were stopped while recording',
      'seconds reduction 56.0 % open',
      '1. some runs keep no passes (approximate) -> record passes',
    ]) {
      expect(output).toContain(sentence);
    }
  });

  test('tells an unknown overshoot from a cap that stopped nothing and a limit that is not set', () => {
    const stops = { count: 0, median_pass: null, by_label: {} };
    const overshoot = {
      tokens: { max: null, median: null },
      seconds: { max: null, median: null },
      usd: { max: null, median: null },
    };
    const output = text(replayBlocks({ ...REPLAY, overshoot, by_reason: { ...REPLAY.by_reason, seconds: stops } }));
    expect(output).toMatch(/^tokens +471,002 +unknown +unknown$/m);
    expect(output).toMatch(/^seconds +281\.5 s +no stop +no stop$/m);
    expect(output).toMatch(/^usd +unknown +- +-$/m);
    expect(output).toMatch(/^seconds +0 +0 % +-/m);
  });

  test('ten thousand groups fill no page', () => {
    const groups = Array.from({ length: 10_000 }, (_, i) => group(`g${i}`, {}));
    const output = text(replayBlocks({ ...REPLAY, groups }));
    expect(output).toContain('… and 9,960 more, see --json');
    expect(output.split('\n').length).toBeLessThan(150);
  });
});

describe('ladderBlocks', () => {
  test('takes the first metric that is known on every rung, and notes for how many runs', () => {
    const usd = { recorded: 10, replayed: 5, reduction: 0.5, known_runs: 390 };
    const steps = LADDER.map(({ step, replay }) => ({
      step,
      replay: { ...replay, spend: { ...replay.spend, tokens: null, usd } },
    }));
    const output = text(ladderBlocks(steps));
    expect(output).toContain('$5.00 [1]  -50.0 %');
    expect(output).toContain('[1] known for 390 of 400 runs');
  });

  test('no rungs, no ladder', () => {
    expect(ladderBlocks([])).toEqual([]);
  });

  test('carries the doubts of the replays', () => {
    const output = text(ladderBlocks([{ step: 'caps alone', replay: DOUBTFUL_REPLAY }]));
    expect(output).toContain('Population: claimed, not verified.');
    expect(output).toContain('approximate: some figures are bounds');
    expect(output).toContain('some runs were stopped while recording');
  });
});

test.each(HOSTILE_NAMES)('a hostile name is printed harmlessly wherever it stands', (name) => {
  const stops = { count: 2, median_pass: 3, by_label: { [name]: { [name]: 2, other: 1 } } };
  const hostile: ReplayReport = {
    ...DOUBTFUL_REPLAY,
    false_stops: { ...REPLAY.false_stops, runs: [{ id: name, reason: name, after_passes: 1 }] },
    by_reason: { [name]: stops, passes: stops },
    recorded_by_reason: { [name]: 1 },
    not_judged: { [name]: 1 },
    groups: [{ ...group(null, {}), labels: { [name]: name } }],
    warnings: [{ code: name, message: name, hint: name }],
  };
  const blocks = [
    ...replayBlocks(hostile),
    ...deriveBlocks({ ...DERIVE, groups: [{ ...DERIVE, labels: { [name]: name } }] }),
    ...ladderBlocks([{ step: name, replay: REPLAY }]),
    { kind: 'pre', lines: [name.slice(0, 100)] } as const,
  ];
  for (const width of [40, 80]) {
    const output = text(blocks.slice(0, -1), width);
    expect(output).not.toMatch(UNSAFE_OUTPUT);
    expect(widestLine(output)).toBeLessThanOrEqual(width);
    expect(output.length).toBeLessThan(200_000);
  }
  const markdown = renderMarkdown(blocks);
  expect(markdown).not.toMatch(UNSAFE_OUTPUT);
  expect(markdown.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '')).not.toMatch(/<\w|(?<!\\)`|(?<!\\)\]\(/);
});
