import type { Metric } from '../../src/model/limits.js';
import type { ReplayReport } from '../../src/replay/result.js';
import { formatAmount, formatCount, formatPercent } from '../../src/report/format.js';
import { falseStopCounts, rateRange, savedText, spendTexts } from '../../src/report/sentences.js';
import { capfit, put } from '../cli/harness.js';
import type { Rows, Setting } from './page.js';

/** A policy file: that one, with these caps and this count of its repeat rule. */
export function withSetting(base: object, { caps, repeat }: Setting): object {
  const { caps: before, rules: [rule, ...rules] = [] } = base as {
    caps?: Record<string, number>;
    rules?: readonly object[];
  };
  const all = Object.entries({ ...before, ...caps }).filter(([, cap]) => cap !== null && cap !== undefined);
  const repeats = { rule: 'repeat', key: 'call', ...rule, ...(repeat === undefined ? {} : { count: repeat }) };
  const isKept = repeat !== null && (rule !== undefined || repeat !== undefined);
  return { ...base, caps: Object.fromEntries(all), rules: isKept ? [repeats, ...rules] : rules };
}

/** What `capfit replay --policy` gives for these runs. */
export async function replayed(
  folder: string,
  runs: string,
  policy: object,
  ...flags: readonly string[]
): Promise<ReplayReport> {
  const file = put(folder, 'replayed.json', JSON.stringify(policy));
  const { code, out, err } = await capfit(['replay', runs, '--policy', file, '--json', ...flags]);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as ReplayReport;
}

/** The figures of a replay as the page should write them. */
export function figuresOf(replay: ReplayReport, metrics: readonly Metric[]): Record<string, string> {
  const { false_stops, verified, spend, max_bill, by_reason, bounds } = replay;
  const ci95 = bounds?.ci95 ?? false_stops.ci95;
  const most = bounds?.censored?.all_succeed.verified ?? verified;
  const of = rateRange(replay) === null || most === verified ? formatCount(verified) : `up to ${formatCount(most)}`;
  const stops = Object.values(by_reason).reduce((sum, reason) => sum + reason.count, 0);
  return {
    'good runs stopped': `${falseStopCounts(replay)} of ${of}`,
    rate: rateRange(replay) ?? formatPercent(false_stops.rate),
    'rate, 95 % interval': ci95 === null ? 'unknown' : `${formatPercent(ci95[0])} to ${formatPercent(ci95[1])}`,
    'runs stopped': formatCount(stops),
    ...Object.fromEntries(
      metrics.flatMap((metric) => {
        const [known, range] = [spend[metric], bounds?.spend[metric]];
        return [
          [`${metric} spent`, known === null ? 'unknown' : spendTexts(metric, known, range).replayed],
          [`${metric} saved`, savedText(known, range)],
          [`largest run, ${metric}`, formatAmount(metric, max_bill[metric])],
        ];
      }),
    ),
  };
}

/** The table of figures: this policy, then today's. */
export function figureRows(now: ReplayReport, today: ReplayReport, metrics: readonly Metric[]): Rows {
  const before = figuresOf(today, metrics);
  const isOpen = now.bounds !== null || today.bounds !== null;
  return Object.fromEntries(
    Object.entries(figuresOf(now, metrics)).map(([name, text]) => [
      name === 'runs stopped' && isOpen ? 'runs stopped, for sure' : name,
      [text, before[name] as string],
    ]),
  );
}

/** The table of stops by reason: this policy, its median pass, today's. */
export function stopRows(now: ReplayReport, today: ReplayReport): Rows {
  const names = [...new Set([...Object.keys(now.by_reason), ...Object.keys(today.by_reason)])];
  return Object.fromEntries(
    names.map((name) => {
      const { count = 0, median_pass = null } = now.by_reason[name] ?? {};
      const median = median_pass === null ? '-' : formatCount(median_pass);
      return [name, [formatCount(count), median, formatCount(today.by_reason[name]?.count ?? 0)]];
    }),
  );
}
