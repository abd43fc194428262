import * as Plot from '@observablehq/plot';
import type { PopulationOptions } from '../calibrate/population.js';
import { formatCount, formatPercent } from '../report/format.js';
import { type Chart, COLORS, createChart, createMark, legendOf, SHEET } from './drawing.js';
import { element } from './elements.js';
import { incidenceOf } from './incidence.js';
import type { HeldRun } from './replayer.js';
import type { State } from './state.js';

/** Which share of all runs has ended, and how, by a number of passes; only the cap moves. */
export interface IncidenceChart {
  readonly root: HTMLElement;
  readonly charts: readonly Chart[];
  show(state: State): void;
}

/** A share that is no more than rounding. */
const SLIGHT = 1e-9;
const OPEN =
  'What is missing to 100 % was stopped or lost while recording: how those runs would have ended is not known.';

export function createIncidenceChart(runs: readonly HeldRun[], population: PopulationOptions): IncidenceChart | null {
  const points = incidenceOf(runs, population);
  const longest = points.at(-1)?.passes ?? 0;
  if (longest === 0) return null;
  let end = longest;
  const mark = createMark('cap', 0);
  const lastOf = (wanted: 'success' | 'failure'): number => points.findLast(({ kind }) => kind === wanted)?.share ?? 0;
  const open = 1 - lastOf('success') - lastOf('failure');
  const curve = (wanted: 'success' | 'failure', stroke: string) =>
    Plot.line(
      points.filter(({ kind }) => kind === wanted),
      { x: 'passes', y: ({ share }: { share: number }) => 100 * share, stroke, strokeWidth: 2, curve: 'step-after' },
    );
  const chart = createChart(
    {
      title: 'Share of all runs that have ended so by a number of passes',
      printed: SHEET / 2 - 8,
      describe: () =>
        `Share of all runs that have ended, by passes: in success ${formatPercent(lastOf('success'))}, in failure ${formatPercent(lastOf('failure'))} by pass ${formatCount(longest)}.`,
      options: (width) => ({
        ...{
          height: Math.min(240, 0.55 * width),
          marginTop: 28,
          x: { label: 'passes', domain: [0, end], ticks: Math.min(end, width / 60) },
        },
        y: { label: null, domain: [0, 100], grid: true, ticks: 5, tickFormat: (share: number) => `${share} %` },
        marks: [curve('success', COLORS.good), curve('failure', COLORS.bad), Plot.ruleY([0])],
      }),
      finish: mark.into,
    },
    legendOf([
      ['ended in success', COLORS.good],
      ['ended in failure', COLORS.bad],
    ]),
    ...(open < SLIGHT ? [] : [element('p', { class: 'note' }, OPEN)]),
  );
  return {
    root: chart.root,
    charts: [chart],
    show({ caps: { passes } }) {
      mark.move(passes, passes === null ? '' : `cap ${formatCount(passes)}`);
      const needed = Math.max(longest, passes ?? 0);
      if (needed === end) return;
      end = needed;
      chart.redraw();
    },
  };
}
