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
    const none = written([halted('h', 'x')], { policy: policy({ caps: { passes: 5 } }) });
    expect(none.has('capfit_policy_false_stop_ratio')).toBe(false);
    expect(none.get('capfit_policy_false_stop_runs')?.samples).toEqual([{ labels: {}, value: 0 }]);
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
