import type { Warning } from '../model/problem.js';
import { plural } from '../model/words.js';

/** Runs, and of how many tasks they are. */
export interface RunsOfTasks {
  /** Such as `verified run`. */
  readonly noun: string;
  readonly runs: number;
  readonly tasks: number;
}

/** Runs of one task do not tell as much as runs of different ones. @param label that names the task */
export function runsOfOneTask(sets: readonly RunsOfTasks[], label: string, hint: string): Warning {
  const parts = sets.map(({ noun, runs, tasks }) => `the ${plural(runs, noun)} are of ${plural(tasks, 'task')}`);
  return {
    code: 'runs_of_one_task',
    message: `${parts.join(' and ')} (by ${label}): runs of one task end alike, so they tell less than as many runs of different tasks`,
    hint,
  };
}
