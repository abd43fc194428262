import { deflateRawSync } from 'node:zlib';
import type { PopulationOptions } from '../../calibrate/population.js';
import { METRICS } from '../../model/limits.js';
import { toPlain } from '../../model/plain.js';
import type { RunTable } from '../../model/table.js';
import type { Calibration } from '../../replay/calibrate.js';
import { splittingLabel } from '../../replay/labels-seen.js';
import { nameText } from '../../report/escape.js';
import { percentileName } from '../../report/format.js';
import { type PageData, pagePolicy } from '../../report/page-data.js';
import { pageTiles } from '../../report/page-headline.js';
import { type PageAssets, pageHtml } from '../../report/page-html.js';
import { heldOnPage } from '../../report/page-sample.js';
import { type Making, pageSections, pageSummary, panelSection } from '../../report/page-sections.js';
import type { RawOptions } from '../options.js';
import { version } from '../version.js';

/** More would make a page that answers slowly, and is too large to mail. */
const MOST_RUNS = 20_000;

/** A report page, and what it is made of. */
export interface ReportPage {
  readonly html: string;
  /** Runs that it holds. */
  readonly held: number;
}

/** @param command how it was made, as somebody would type it again */
export function reportPage(
  runs: RunTable,
  calibration: Calibration,
  population: PopulationOptions,
  command: string,
  assets: PageAssets,
): ReportPage {
  const { policy } = calibration;
  const held = heldOnPage(runs, MOST_RUNS);
  const heldRuns = held.length;
  const data: PageData = {
    schema: 'capfit/page@1',
    population,
    policy: pagePolicy(policy),
    percentile: percentileInForce(calibration),
    label: splittingLabel(runs),
    // The table is of no use afterwards.
    runs: deflateRawSync(toPlain(held.pack()), { level: 9 }).toString('base64'),
  };
  const html = pageHtml(
    {
      title: policy.name === null ? 'Stop caps' : `Stop caps: ${nameText(policy.name)}`,
      summary: pageSummary(calibration),
      tiles: pageTiles(calibration),
      panel: panelSection(heldRuns, runs.length),
      sections: pageSections(calibration, makingOf(calibration, command)),
      data,
    },
    assets,
  );
  return { html, held: heldRuns };
}

export function populationOption(raw: RawOptions): PopulationOptions {
  return { claimed: raw.claimed === true, finishedOnly: raw.finishedOnly === true };
}

function percentileInForce({ report: { derive } }: Calibration): PageData['percentile'] {
  const name = percentileName(1 - derive.accepted_rate);
  const values = METRICS.map((metric) => [metric, derive.quantiles[metric]?.[name as `p${string}`] ?? null] as const);
  if (values.every(([, value]) => value === null)) return null;
  return { name, values: Object.fromEntries(values) as NonNullable<PageData['percentile']>['values'] };
}

function makingOf({ policy: { measured } }: Calibration, command: string): Making {
  const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return { version: version(), command, fingerprint: textOf(measured?.fingerprint), source: textOf(measured?.source) };
}
