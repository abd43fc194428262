import { numberText } from '../model/decimal-text.js';
import { figuresIn } from '../model/figures.js';
import type { Warning } from '../model/problem.js';
import type { Run } from '../model/run.js';
import { shownValue } from '../model/words.js';
import { sharedShareTails, twoSided } from '../stats/tails.js';
import { TASK_LABELS } from './clusters.js';
import { percent } from './drift-words.js';
import { brief, RESULTS } from './mixed-tasks.js';
import { runsOfOneTask } from './task-warnings.js';

/** Runs of each set by the value of a label. */
interface Values {
  readonly old: Map<string, number>;
  readonly fresh: Map<string, number>;
}

/** Labels of two sets of runs. */
interface Mix {
  readonly labels: ReadonlyMap<string, Values>;
  readonly inOld: number;
  readonly inNew: number;
}

/** What the labels say against taking two sets of runs for draws of one kind. */
export function mixWarnings(old: Iterable<Run>, fresh: Iterable<Run>): Warning[] {
  const mix = mixOf(old, fresh);
  return [...taskWarnings(mix), ...shiftWarnings(mix)];
}

function mixOf(old: Iterable<Run>, fresh: Iterable<Run>): Mix {
  const labels = new Map<string, Values>();
  const count = (runs: Iterable<Run>, side: keyof Values): number => {
    let all = 0;
    for (const run of figuresIn(runs)) {
      all++;
      for (const [label, value] of run.labels) {
        const values = labels.get(label) ?? { old: new Map(), fresh: new Map() };
        labels.set(label, values);
        values[side].set(value, (values[side].get(value) ?? 0) + 1);
      }
    }
    return all;
  };
  return { labels, inOld: count(old, 'old'), inNew: count(fresh, 'fresh') };
}

/** A label with fewer values names kinds of tasks. */
const FEWEST_TASKS = 10;

const HINT =
  'an alarm comes more often than the rate stated, so trust a weak one (p not far below it) only where a third set shows it too';

/** Several runs of one task: the tests take each for a draw of its own. */
function taskWarnings({ labels, inOld, inNew }: Mix): Warning[] {
  for (const label of TASK_LABELS) {
    const values = labels.get(label);
    if (values === undefined || distinct(values).length < FEWEST_TASKS) continue;
    const sets = [
      { noun: 'old run', runs: inOld, tasks: tasksIn(values.old, inOld) },
      { noun: 'new run', runs: inNew, tasks: tasksIn(values.fresh, inNew) },
    ].filter(({ runs, tasks }) => tasks < runs);
    if (sets.length > 0) return [runsOfOneTask(sets, label, HINT), ...otherTasks(label, values, inNew)];
  }
  return [];
}

/** A run without the label is a task of its own. */
function tasksIn(values: ReadonlyMap<string, number>, runs: number): number {
  return values.size + runs - sum(values);
}

/** From this share of the new runs on, other tasks are worth a word. */
const MANY = 0.1;

function otherTasks(label: string, { old, fresh }: Values, inNew: number): Warning[] {
  const strange = [...fresh].reduce((all, [task, runs]) => (old.has(task) ? all : all + runs), 0);
  if (old.size === 0 || strange < MANY * inNew) return [];
  return [
    {
      code: 'other_tasks',
      message: `${numberText(strange)} of the ${numberText(inNew)} new runs are of tasks that no old run is of (by ${label})`,
      hint: 'what moved may be the tasks and not the agent: compare runs of the same tasks',
    },
  ];
}

/** A label with more values names runs, not kinds of runs. */
const MOST_VALUES = 20;
/** How far apart the shares of a value must be, and how clearly, for the sets to be called of another mix. */
const APART = 0.1;
const CLEARLY = 0.001;
/** Labels named in the sentence. */
const NAMED = 3;

/** Labels of what a run came to, which other tests look at. */
const OUTCOMES = [...RESULTS, 'judge', 'kind'];

/** One value of a label that has become more or less frequent. */
interface Shift {
  readonly label: string;
  readonly value: string;
  readonly old: number;
  readonly fresh: number;
}

function shiftWarnings(mix: Mix): Warning[] {
  if (mix.inOld === 0 || mix.inNew === 0) return [];
  const shifts = [...mix.labels]
    .filter(([label]) => !OUTCOMES.includes(label))
    .flatMap(([label, values]) => shiftOf(label, values, mix) ?? [])
    .sort((a, b) => rankOf(a, mix) - rankOf(b, mix) || (a.label < b.label ? -1 : 1));
  const [first] = shifts;
  if (first === undefined) return [];
  const more = shifts.length - NAMED;
  const parts = shifts
    .slice(0, NAMED)
    .map(
      ({ label, value, old, fresh }) =>
        `${brief(label)}=${brief(shownValue(value))} in ${percent(old / mix.inOld)} of the old runs and ${percent(fresh / mix.inNew)} of the new`,
    );
  const rest = more > 0 ? `, and ${more} more ${more === 1 ? 'label' : 'labels'}` : '';
  return [
    {
      code: 'other_mix',
      message: `the two sets are of another mix: ${parts.join('; ')}${rest}`,
      hint: `what moved may be the mix and not the agent: compare like with like, for instance --where ${brief(first.label)}=${brief(shownValue(first.value))}`,
    },
  ];
}

/** The value whose share changed most, where that is much and no chance. */
function shiftOf(label: string, values: Values, { inOld, inNew }: Mix): Shift | null {
  const all = distinct(values);
  if (all.length < 2 && sum(values.old) === inOld && sum(values.fresh) === inNew) return null;
  if (all.length > MOST_VALUES) return null;
  const shifts = all.map((value) => ({
    label,
    value,
    old: values.old.get(value) ?? 0,
    fresh: values.fresh.get(value) ?? 0,
  }));
  const far = shifts.filter((shift) => apart(shift, inOld, inNew) >= APART);
  const clear = far.filter(
    ({ old, fresh }) => twoSided(sharedShareTails(fresh, inNew, old, inOld)) * all.length <= CLEARLY,
  );
  return clear.sort((a, b) => apart(b, inOld, inNew) - apart(a, inOld, inNew))[0] ?? null;
}

function apart({ old, fresh }: Shift, inOld: number, inNew: number): number {
  return Math.abs(fresh / inNew - old / inOld);
}

/** What was asked comes first, then what changed most. */
function rankOf(shift: Shift, { inOld, inNew }: Mix): number {
  const isTask = shift.label.startsWith('task');
  return (isTask ? -1 : 0) - apart(shift, inOld, inNew);
}

function distinct({ old, fresh }: Values): string[] {
  return [...new Set([...old.keys(), ...fresh.keys()])];
}

function sum(values: ReadonlyMap<string, number>): number {
  return [...values.values()].reduce((all, runs) => all + runs, 0);
}
