import { fromAtoms } from '../model/atoms.js';
import type { Pass } from '../model/run.js';
import type { RunTable } from '../model/table.js';
import { nameText } from '../report/escape.js';
import { formatAmount, formatCount } from '../report/format.js';
import { element, tableOf } from './elements.js';
import type { CutRun, Figures } from './figures.js';

/** Runs that are listed: a reader who wants more asks the command line. */
const LISTED = 40;
const PASSES = 200;
const TOOLS = 12;
const UNTOLD = ' for sure; which others it may stop, the recording leaves open';

/** The runs that a policy stops, each with its story pass by pass, made when it is opened. */
export interface Stories {
  readonly root: HTMLElement;
  show(figures: Figures): void;
}

export function createStories(table: RunTable): Stories {
  const root = element('div');
  const open = new Set<string>();
  return {
    root,
    show({ cut, replay }) {
      root.replaceChildren(...partsOf(table, cut, open, replay.bounds !== null));
    },
  };
}

function partsOf(table: RunTable, cut: readonly CutRun[], open: Set<string>, isOpen: boolean): HTMLElement[] {
  if (cut.length === 0) return [element('p', {}, `This policy stops no run${isOpen ? UNTOLD : ''}.`)];
  const good = cut.filter(({ isGood }) => isGood).length;
  const shown = cut.slice(0, LISTED);
  const rest = cut.length - shown.length;
  const more = rest > 0 ? `; the first ${formatCount(shown.length)} are listed` : '';
  return [
    element(
      'p',
      {},
      `${formatCount(cut.length)} runs are stopped, ${formatCount(good)} of them good, which come first${more}${isOpen ? UNTOLD : ''}.`,
    ),
    element('div', { class: 'stories' }, ...shown.map((run) => storyOf(table, run, open))),
  ];
}

/** @param open runs whose stories stay open whatever is set */
function storyOf(table: RunTable, run: CutRun, open: Set<string>): HTMLElement {
  const what = `${nameText(run.id)}: ${run.isGood ? 'a good run, ' : ''}stopped by ${nameText(run.reason)} after ${formatCount(run.afterPasses)} of its passes`;
  const story = element('details', run.isGood ? { class: 'good' } : {}, element('summary', {}, what));
  const tell = (): void => {
    if (story.childElementCount === 1) story.append(passesOf(table, run));
  };
  if (open.has(run.id)) {
    story.open = true;
    tell();
  }
  story.addEventListener('toggle', () => {
    if (!story.open) open.delete(run.id);
    else {
      open.add(run.id);
      tell();
    }
  });
  return story;
}

function passesOf(table: RunTable, { index, id, afterPasses }: CutRun): HTMLElement {
  const { passes } = table.at(index);
  if (passes === null) return element('p', {}, 'The passes of this run were not recorded.');
  let tokens: number | null = 0;
  let micros: number | null = 0;
  const rows = passes.slice(0, PASSES).map((pass, at) => {
    tokens = tokens === null || pass.inputTokens === null ? null : tokens + pass.inputTokens + (pass.outputTokens ?? 0);
    micros = micros === null || pass.micros === null ? null : micros + pass.micros;
    return [
      at + 1 === afterPasses ? `${at + 1} (stopped here)` : String(at + 1),
      formatAmount('tokens', tokens),
      formatAmount('seconds', micros === null ? null : fromAtoms('seconds', micros)),
      toolsText(pass),
    ];
  });
  const all = passes.length > PASSES ? `, the first ${PASSES} of ${formatCount(passes.length)}` : '';
  const story = tableOf(
    `${nameText(id)}: counters after each pass${all}`,
    ['pass', 'tokens', 'seconds', 'tools called'],
    rows,
    [3],
  );
  story.classList.add('story');
  story.querySelectorAll('tbody tr')[afterPasses - 1]?.classList.add('stop');
  return story;
}

function toolsText({ calls }: Pass): string {
  if (calls.length === 0) return 'no call';
  const names = calls.slice(0, TOOLS).map(({ tool }) => nameText(tool));
  const rest = calls.length - names.length;
  return names.join(', ') + (rest > 0 ? `, … and ${formatCount(rest)} more` : '');
}
