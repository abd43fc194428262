import { withStranger } from '../formats/stranger.js';
import type { Problem } from '../model/problem.js';
import type { Recognised } from './recognise.js';

/**
 * The advice that a bad record may be of another format, beside the reader's own, which is for the one it knows. It is
 * given once reading has come to its end: all formats are asked, and those are loaded for that only.
 */
export interface Advice {
  /** Takes note of a bad record, and of what it was read as. */
  note(bad: Problem, as: Recognised): void;
  /** These bad records with their advice; those that were not noted stay as they are. */
  give(problems: Problem[]): Promise<Problem[]>;
}

export function createAdvice(): Advice {
  const noted = new Map<Problem, Recognised>();
  return {
    note: (bad, as) => void noted.set(bad, as),
    async give(problems) {
      if (!problems.some((each) => noted.has(each))) return problems;
      const { formatOfLine } = await import('./all-formats.js');
      return problems.map((each) => {
        const as = noted.get(each);
        return as === undefined ? each : withAdvice(each, as, formatOfLine);
      });
    },
  };
}

function withAdvice(bad: Problem, { format, by }: Recognised, formatOf: (line: string) => string | null): Problem {
  const advised = withStranger(bad, format.id, formatOf);
  if (by !== 'name') return advised;
  const hint = `${advised.hint}; no format claims the file by its content, so it is read as ${format.id}: --from names another`;
  return { ...advised, hint };
}
