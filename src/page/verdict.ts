import type { Metric } from '../model/limits.js';
import { openSuccesses } from '../replay/open-successes.js';
import type { ReplayReport } from '../replay/result.js';
import { formatCount, formatPercent } from '../report/format.js';
import { blindText, falseStopCounts, openText, rateRange, savedText } from '../report/sentences.js';
import { element } from './elements.js';

/** What a policy comes to, in two figures, beside the controls. */
export interface Verdict {
  readonly root: HTMLElement;
  show(now: ReplayReport): void;
}

/** So long nobody must move anything before the figures are read out: else every step of a slider would be. */
const QUIET_MILLIS = 800;

export function createVerdict(today: ReplayReport, metric: Metric): Verdict {
  const figures = element('div', { class: 'verdict' });
  const told = element('p', { class: 'unseen', role: 'status' });
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isFirst = true;
  const tellLater = (now: ReplayReport): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => {
      told.textContent = sentencesOf(now, metric);
    }, QUIET_MILLIS);
  };
  return {
    root: element('div', {}, figures, told),
    show(now) {
      figures.replaceChildren(
        figureOf(rateText(now), 'of the good runs stopped', lostText(now), lostText(today)),
        figureOf(savedIn(now, metric), `of the ${metric} saved`, '', savedIn(today, metric)),
        ...doubtsOf(now),
      );
      if (!isFirst) tellLater(now);
      isFirst = false;
    },
  };
}

function figureOf(figure: string, of: string, detail: string, today: string): HTMLElement {
  const more = detail === '' ? '' : ` (${detail})`;
  return element(
    'p',
    {},
    element('strong', {}, figure),
    ` ${of}${more}`,
    element('span', { class: 'note' }, `today ${today}`),
  );
}

/** `3 of 310`, or `0 to 6 of up to 314` where the recording leaves open how many are stopped, and of how many. */
export function lostCounts(replay: ReplayReport): string {
  return `${falseStopCounts(replay)} of ${ofText(replay)}`;
}

function ofText(replay: ReplayReport): string {
  const open = rateRange(replay) === null ? 0 : openSuccesses(replay);
  return `${open > 0 ? 'up to ' : ''}${formatCount(replay.verified + open)}`;
}

function lostText(replay: ReplayReport): string {
  return replay.verified === 0 && rateRange(replay) === null ? 'no run is a success' : lostCounts(replay);
}

function rateText(replay: ReplayReport): string {
  return rateRange(replay) ?? formatPercent(replay.false_stops.rate);
}

function savedIn({ spend, bounds }: ReplayReport, metric: Metric): string {
  return savedText(spend[metric], bounds?.spend[metric]);
}

/** What stands below figures that are not exact, or not of the whole policy. @param kind a class of the style */
export function doubtsOf(now: ReplayReport, kind = ''): HTMLElement[] {
  return doubtTexts(now).map((text) => element('p', { class: `note ${kind}`.trim() }, text));
}

function doubtTexts(now: ReplayReport): string[] {
  return [blindText(now).trim(), openText(now), censoredText(now)].filter((text) => text !== '');
}

function censoredText({ censored }: ReplayReport): string {
  if (censored === 0) return '';
  const stops = censored === 1 ? '1 recorded stop' : `${formatCount(censored)} recorded stops`;
  return `${stops} would not happen: what ${censored === 1 ? 'that run' : 'those runs'} would have done next is unknown.`;
}

/** The whole, for a reader who listens. */
function sentencesOf(now: ReplayReport, metric: Metric): string {
  return [
    `Stops ${lostText(now)} good runs, ${rateText(now)}. Of the ${metric} saved: ${savedIn(now, metric)}.`,
    ...doubtTexts(now),
  ].join(' ');
}
