import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/model/run.js';
import { metrics } from '../../src/replay/metrics.js';
import { labelNamesFor } from '../../src/replay/metrics-names.js';
import { labelValue, openMetrics } from '../../src/report/openmetrics.js';
import { passes, policy, run } from '../builders.js';
import { type Gauge, parseOpenMetrics } from '../report/openmetrics.js';

const halted = (id: string, reason: string | null, labels: object = {}): Run =>
  run({ id, status: 'halted_error', check: 'none', reason, labels, passes: passes(2) });

function written(runs: readonly Run[], options: Parameters<typeof metrics>[1] = {}): Map<string, Gauge> {
  return parseOpenMetrics(openMetrics(metrics(runs, { text: labelValue, ...options })));
}

describe('metrics', () => {
  const runs = [
    ...[2, 4, 6, 8].map((size) => run({ id: `s-${size}`, labels: { team: 'a' }, passes: passes(size) })),
    halted('h-1', 'provider_error', { team: 'b' }),
    halted('h-2', 'provider_error', { team: 'b' }),
    halted('h-3', null),
  ];

  test('runs by status and reason; every status is there', () => {
    expect(written(runs).get('capfit_runs')).toEqual({
      unit: 'runs',
      help: 'Recorded runs by how they ended and why.',
      samples: [
        { labels: { status: 'done_claimed', reason: '' }, value: 0 },
        { labels: { status: 'done_verified', reason: '' }, value: 4 },
        { labels: { status: 'halted_error', reason: '' }, value: 1 },
        { labels: { status: 'halted_error', reason: 'provider_error' }, value: 2 },
        { labels: { status: 'running', reason: '' }, value: 0 },
        { labels: { status: 'stopped_budget', reason: '' }, value: 0 },
      ],
    });
  });

  test('percentiles of the successes, by label; what is unknown has no sample, not a 0', () => {
    const families = written(runs, { labels: ['team'] });
    expect(families.get('capfit_success_passes')?.samples).toEqual([
      { labels: { team: 'a', quantile: '0.5' }, value: 4 },
      { labels: { team: 'a', quantile: '0.95' }, value: 8 },
      { labels: { team: 'a', quantile: '0.99' }, value: 8 },
    ]);
    expect(families.get('capfit_success_tokens')?.samples[0]?.value).toBe(400);
    expect(families.has('capfit_success_usd')).toBe(false);
    expect(families.get('capfit_verified_runs')?.samples).toEqual([
      { labels: { team: '' }, value: 0 },
      { labels: { team: 'a' }, value: 4 },
      { labels: { team: 'b' }, value: 0 },
    ]);
  });

  test('false stops of a policy', () => {
    const families = written(runs, { policy: policy({ caps: { passes: 5 } }) });
    const value = (name: string): unknown => families.get(name)?.samples.map((sample) => sample.value);
    expect(families.get('capfit_policy_stopped_runs')?.samples).toEqual([{ labels: { reason: 'passes' }, value: 2 }]);
    expect(value('capfit_policy_false_stop_runs')).toEqual([2]);
    expect(value('capfit_policy_false_stop_ratio')).toEqual([0.5]);
    expect(value('capfit_policy_false_stop_upper_ratio')).toEqual([expect.closeTo(0.9023886, 6)]);
    expect(families.get('capfit_policy_not_judged_runs')?.samples).toEqual([
      { labels: { reason: 'passes' }, value: 0 },
    ]);
    const none = written([halted('h', 'x')], { policy: policy({ caps: { passes: 5 } }) });
    expect(none.has('capfit_policy_false_stop_ratio')).toBe(false);
    expect(none.get('capfit_policy_false_stop_runs')?.samples).toEqual([{ labels: {}, value: 0 }]);
  });

  test('what a policy could not judge has no sample, and how much that is has one', () => {
    const untold = [2, 4, 6].map((size) => run({ id: `u-${size}`, passes: Array.from({ length: size }, () => ({})) }));
    const blind = written(untold, { policy: policy({ caps: { tokens: 9, usd: 1 } }) });
    const names = [...blind.keys()].filter((name) => name.startsWith('capfit_policy'));
    expect(names).toEqual(['capfit_policy_not_judged_runs', 'capfit_policy_not_judged_success_runs']);
    expect(blind.get('capfit_policy_not_judged_runs')?.samples).toEqual([
      { labels: { reason: 'tokens' }, value: 3 },
      { labels: { reason: 'usd' }, value: 3 },
    ]);
    const half = written([...untold, ...runs], { policy: policy({ caps: { passes: 5, tokens: 550 } }) });
    const value = (name: string): unknown => half.get(name)?.samples.map((sample) => sample.value);
    expect(half.get('capfit_policy_stopped_runs')?.samples).toEqual([
      { labels: { reason: 'passes' }, value: 3 },
      { labels: { reason: 'tokens' }, value: 0 },
    ]);
    expect(value('capfit_policy_false_stop_ratio')).toEqual([3 / 7]);
    expect(value('capfit_policy_not_judged_success_runs')).toEqual([2]);
  });

  test('a record that is overdue is lost, as the gate counts it', () => {
    const open = (id: string, started_at: string): Run =>
      run({ id, status: 'running', check: 'none', started_at, passes: [] });
    const both = [open('a', '2026-05-01T11:58:59Z'), open('b', '2026-05-01T11:59:30Z')];
    const seen = (options: object): unknown =>
      written(both, options)
        .get('capfit_runs')
        ?.samples.filter(({ value }) => value > 0);
    const lost = { labels: { status: 'halted_error', reason: 'lost' }, value: 1 };
    const running = { labels: { status: 'running', reason: '' }, value: 1 };
    const wall = policy({ caps: { seconds: 60 } });
    expect(seen({ policy: wall, now: '2026-05-01T12:00:00Z' })).toEqual([lost, running]);
    expect(seen({ now: '2026-05-01T12:00:00Z' })).toEqual([{ ...running, value: 2 }]);
    expect(seen({ policy: wall })).toEqual([{ ...running, value: 2 }]);
  });

  test('a value called other is not the folded one', () => {
    const many = Array.from({ length: 40 }, (_, at) => halted(`h-${at}`, at < 30 ? 'other' : `r-${at}`));
    const { samples = [] } = written(many, { maxSeries: 10 }).get('capfit_runs') ?? {};
    const found = samples.filter(
      ({ labels }) => labels.status === 'halted_error' && labels.reason?.startsWith('other'),
    );
    expect(found.map(({ labels, value }) => [labels.reason, value])).toEqual([
      ['other', 30],
      ['other_2', expect.any(Number)],
    ]);
  });

  test('a label that is renamed is told', () => {
    const one = [run({ id: 'a', labels: { 'a-b': 'x', a_b: 'y' } })];
    const { help } = written(one, { labels: ['a-b', 'a_b'] }).get('capfit_runs') ?? {};
    expect(help).toBe('Recorded runs by how they ended and why. Labels: a_b is a-b, label_a_b is a_b.');
  });

  test('hostile values come back as they were, but for what a terminal would obey', () => {
    const values = ['a"b', 'a\\b', 'a\nb', '\\n', '}', '",x="', 'ü 漢', '\u001b[31m', '\u202e', '{'];
    const hostile = values.map((team, index) => halted(`h-${index}`, team, { team }));
    const { samples = [] } = written(hostile, { labels: ['team'] }).get('capfit_runs') ?? {};
    const found = samples.filter(({ value }) => value > 0).map(({ labels }) => labels.team);
    expect(found.sort()).toEqual([...values.slice(0, 7), '\\x1b[31m', '\\u202e', '{'].sort());
    const text = openMetrics(metrics(hostile, { labels: ['team'], text: labelValue }));
    expect(text).toContain('team="a\\"b"');
    expect(text).toContain('team="a\\\\b"');
    expect(text).toContain('team="a\\nb"');
  });

  test('values that are the same once written are one series', () => {
    const twins = [halted('a', '\u001b'), halted('b', '\\x1b')];
    expect(written(twins).get('capfit_runs')?.samples).toContainEqual({
      labels: { status: 'halted_error', reason: '\\x1b' },
      value: 2,
    });
  });

  test('cardinality is bounded, nothing is lost, and it says how much was folded', () => {
    const many = Array.from({ length: 300 }, (_, index) => [
      run({ id: `s-${index}`, labels: { session: `s-${index}` }, passes: passes(1 + (index % 9)) }),
      halted(`h-${index}`, `reason ${index % 40}`, { session: `s-${index}` }),
    ]).flat();
    many.push(halted('again', 'reason 7', { session: 's-7' }));
    const families = written(many, { labels: ['session'], maxSeries: 30 });
    for (const { samples } of families.values()) expect(samples.length).toBeLessThanOrEqual(30);
    const total = (name: string): number =>
      (families.get(name)?.samples ?? []).reduce((sum, { value }) => sum + value, 0);
    expect(total('capfit_runs')).toBe(601);
    expect(total('capfit_verified_runs')).toBe(300);
    const { samples = [] } = families.get('capfit_runs') ?? {};
    expect(samples).toContainEqual({
      labels: { status: 'halted_error', reason: 'reason 7', session: 's-7' },
      value: 2,
    });
    expect(
      samples.find(({ labels }) => labels.status === 'done_verified' && labels.session === 'other')?.value,
    ).toBeGreaterThan(200);
    const folded = Object.fromEntries(
      (families.get('capfit_folded_series')?.samples ?? []).map(({ labels, value }) => [labels.family, value]),
    );
    // 603 combinations, those of the three statuses without runs among them; 25 are kept beside one "other" a status.
    expect(folded).toEqual({ capfit_runs: 603 - 25, capfit_success: 300 - 9 });
  });
});

test('label names are what the format takes, and none is twice', () => {
  expect(labelNamesFor(['team', 'task type', 'task-type', '7th', 'status', '__name__', '', 'ü', 'quantile'])).toEqual([
    'team',
    'task_type',
    'label_task_type',
    'label_7th',
    'label_status',
    'name__',
    'label_',
    'label__2',
    'label_quantile',
  ]);
});
