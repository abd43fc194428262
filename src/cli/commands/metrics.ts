import { stringifyJson } from '../../model/json.js';
import { METRICS_DEFAULTS, metrics } from '../../replay/metrics.js';
import { labelValue, openMetrics } from '../../report/openmetrics.js';
import type { Action } from '../action.js';
import { EXIT } from '../errors.js';
import { type GateOptions, momentOption } from '../gate-options.js';
import { checkGrouping, loadRuns } from '../load.js';
import { wholeOption } from '../numbers.js';
import { readOptions } from '../options.js';
import { checkTarget, folderTold, writeWhole } from '../output.js';
import { loadPolicy } from '../policy-option.js';

/** Fewer would not hold one series for each status beside "other". */
const FEWEST_SERIES = 20;
const MOST_SERIES = 1_000_000;

/** `capfit metrics`: runs by status and reason, and percentiles, as OpenMetrics text. */
export const metricsCommand: Action = async (typed, raw: GateOptions, io) => {
  const labels = [...new Set([...(raw.label ?? []), ...(raw.by ?? [])])];
  const maxSeries =
    raw.maxSeries === undefined
      ? METRICS_DEFAULTS.maxSeries
      : wholeOption('--max-series', raw.maxSeries, FEWEST_SERIES, MOST_SERIES);
  const now = momentOption(raw.today, io);
  if (raw.output !== undefined) checkTarget(raw.output);
  const policy = raw.policy === undefined ? null : await loadPolicy(raw.policy);
  const { runs } = await loadRuns(typed, readOptions(raw), io);
  checkGrouping(runs, raw.label ?? [], '--label');
  checkGrouping(runs, raw.by ?? []);
  const population = { claimed: raw.claimed === true, finishedOnly: raw.finishedOnly === true };
  const report = metrics(runs, { ...population, labels, maxSeries, policy, now, text: labelValue });
  const text = raw.json === true ? `${stringifyJson(report, 2)}\n` : openMetrics(report);
  if (raw.output === undefined) io.out(text);
  else await writeWhole(raw.output, [text], folderTold(raw, io));
  return EXIT.done;
};
