import type { PageData } from '../report/page-data.js';
import { createControls } from './controls.js';
import { createCopying } from './copying.js';
import type { Chart } from './drawing.js';
import { element, fill, markScrollers, markScrollersSoon } from './elements.js';
import { type Figures, figuresUnder, knownMetrics, spentIn } from './figures.js';
import { createFrontierChart } from './frontier-chart.js';
import { frontierPoints } from './frontier-points.js';
import { dataIn, heldRuns } from './held-runs.js';
import { createIncidenceChart } from './incidence-chart.js';
import { rangesOf } from './ranges.js';
import { createReasonsChart } from './reasons-chart.js';
import { createReplayer } from './replayer.js';
import { createResults } from './results.js';
import { createSizeCharts } from './size-charts.js';
import { sizesOf } from './sizes.js';
import { createSpendChart } from './spend-chart.js';
import { createStanding } from './standing.js';
import { fragmentOf, keyOf, policyFor, recordFor, type State, stateIn, stateOf, stateText } from './state.js';
import { createStories } from './stories.js';
import { createVerdict } from './verdict.js';

/** Fills the page and answers its controls. */
async function start(data: PageData): Promise<void> {
  const table = await heldRuns(data);
  const replayer = createReplayer(table);
  const { runs } = replayer;
  const { population, label } = data;
  const own = stateOf(data.policy);
  const metric = spentIn(
    figuresUnder(replayer, policyFor(data.policy, own), { population, label, metric: 'passes' }).replay,
  );
  const under = (state: State): Figures =>
    figuresUnder(replayer, policyFor(data.policy, state), { population, label, metric });
  const today = under(own);
  const metrics = knownMetrics(today.replay);
  const ranges = rangesOf(runs, metrics, own);

  const standing = createStanding(own);
  const verdict = createVerdict(today.replay, metric);
  const copying = createCopying();
  const results = createResults(today.replay, metrics, copying.root);
  const stories = createStories(table);
  const spend = createSpendChart(metric);
  const reasons = createReasonsChart(runs, label);
  const sizes = createSizeCharts(
    ranges.flatMap(({ metric: each, most }) => sizesOf(runs, each, population, most) ?? []),
    data,
  );
  const incidence = createIncidenceChart(runs, population);
  const frontier = createFrontierChart(frontierPoints(table, data, metric), metric, today, (caps) =>
    restore({ ...state, caps }),
  );
  const charts: Chart[] = [sizes, spend, reasons, ...(incidence === null ? [] : [incidence]), frontier].flatMap(
    (part) => part.charts,
  );

  const show = (next: State): void => {
    const figures = under(next);
    verdict.show(figures.replay);
    results.show(figures.replay, stateText(next));
    copying.show(recordFor(data.policy, next));
    sizes.show(next);
    incidence?.show(next);
    for (const part of [spend, reasons, frontier]) part.show(figures);
    stories.show(figures);
    standing.show(next);
    markScrollersSoon();
  };
  let state = stateIn(location.hash, own);
  standing.read(location.hash, state);
  let isWaiting = false;
  /** Everything follows within a frame: what is set in between is not drawn. */
  const changed = (next: State): void => {
    state = next;
    standing.read('', state);
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      history.replaceState(null, '', `#${fragmentOf(state)}`);
      show(state);
    });
  };
  const controls = createControls(ranges, keyOf(data.policy), state, changed);
  const restore = (next: State): void => {
    controls.show(next);
    changed(next);
  };
  const back = element('button', { type: 'button', id: 'reset' }, 'Back to today’s policy');
  back.addEventListener('click', () => restore(own));
  addEventListener('hashchange', () => {
    // A link to a part of the page says nothing of caps: what is set stays in the address.
    const { hash } = location;
    if (hash.includes('=')) {
      restore(stateIn(hash, own));
      standing.read(hash, state);
    } else history.replaceState(null, '', `#${fragmentOf(state)}`);
  });

  fill('whatif', standing.misread, controls.root, back, standing.changed, verdict.root);
  fill('figures', results.root);
  fill('sizes', sizes.root);
  fill('spend', spend.root);
  fill('reasons', reasons.root);
  fill('frontier', frontier.root);
  fill('cut', stories.root);
  if (incidence !== null) fill('incidence', incidence.root);
  show(state);
  fitAlways(charts);
  document.documentElement.dataset.ready = 'true';
}

/** Charts are as wide as their places, on the screen and on paper. */
function fitAlways(charts: readonly Chart[]): void {
  const fitAll = (isPrinted: boolean): void => {
    for (const chart of charts) chart.fit(isPrinted);
    if (!isPrinted) markScrollers();
  };
  fitAll(false);
  let isPrinting = false;
  addEventListener('beforeprint', () => {
    isPrinting = true;
    fitAll(true);
  });
  addEventListener('afterprint', () => {
    isPrinting = false;
    fitAll(false);
  });
  new ResizeObserver(() => {
    if (!isPrinting) fitAll(false);
  }).observe(document.documentElement);
}

start(dataIn(document)).catch((error: unknown) => {
  const told = element('p', { class: 'fault', role: 'alert' });
  told.textContent = `The live part of this page could not start (${error instanceof Error ? error.message : String(error)}). The fixed figures stand.`;
  fill('whatif', told);
});
