import type { RankTest } from '../calibrate/group-test.js';
import type { GroupLabels } from '../calibrate/groups.js';
import type { PopulationOptions } from '../calibrate/population.js';
import type { Questions } from '../calibrate/questions.js';
import { METRICS, type Metric } from '../model/limits.js';
import type { Ascending } from '../stats/ascending.js';
import { type KruskalTest, kruskalOf } from '../stats/kruskal.js';

/*
 * What is computed from percentiles asks for values at ranks, and then, of the caps that these give, for how many values
 * lie above. In memory all values are at hand; in a database each look is a question. So the whole is computed with what
 * has been answered so far, every look in vain is noted and given a zero, the questions are asked all at once, and the
 * whole is computed again, until nothing is missing: two or three times.
 */

/** Values in a database, as far as they have been asked for. */
export interface Asking {
  /** The values of a metric of all runs, or of a group. @param length how many there are */
  values(metric: Metric, labels: GroupLabels | null, length: number): Ascending;
  readonly rankTest: RankTest;
}

/** Computes with what the database answers, asking as often as something is missing. */
export async function askUntilKnown<Answer>(
  questions: Questions,
  population: PopulationOptions,
  by: readonly string[],
  compute: (asking: Asking) => Answer,
): Promise<Answer> {
  const book = createBook(by);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const answer = compute(book.asking);
    if (!book.isMissing()) return answer;
    await book.ask(questions, population);
  }
  throw new Error('what is computed asks for ever more');
}

/** Ranks, then what lies above the caps that these give; more would be a fault of the program. */
const MOST_ROUNDS = 8;

/** Stands for a test of which the sums are not known yet. */
const NO_TEST: KruskalTest = { h: 0, df: 1, p: 1, epsilonSquared: 0 };

interface Book {
  readonly asking: Asking;
  isMissing(): boolean;
  ask(questions: Questions, population: PopulationOptions): Promise<void>;
}

function createBook(by: readonly string[]): Book {
  const ranks = new Map<string, number>();
  const above = new Map<string, number>();
  const tests = new Map<string, KruskalTest>();
  const missing = {
    ranks: new Wanted<number>(),
    above: new Wanted<number>(),
    tests: new Map<string, { readonly metric: Metric; readonly groups: readonly GroupLabels[] }>(),
  };
  const keyOf = (metric: Metric, labels: GroupLabels | null, what: number): string =>
    JSON.stringify([metric, labels === null ? null : by.map((name) => labels[name] ?? null), what]);
  const values = (metric: Metric, labels: GroupLabels | null, length: number): Ascending => ({
    length,
    at(index) {
      if (index < 0 || index >= length) return undefined;
      const known = ranks.get(keyOf(metric, labels, index + 1));
      if (known === undefined) missing.ranks.add(metric, labels !== null, index + 1);
      return known ?? 0;
    },
    above(limit) {
      const known = above.get(keyOf(metric, labels, limit));
      if (known === undefined) missing.above.add(metric, labels !== null, limit);
      return known ?? 0;
    },
  });
  const rankTest: RankTest = (metric, groups) => {
    const key = JSON.stringify([metric, groups]);
    const known = tests.get(key);
    if (known === undefined) missing.tests.set(key, { metric, groups });
    return known ?? NO_TEST;
  };
  return {
    asking: { values, rankTest },
    isMissing: () => !missing.ranks.isEmpty() || !missing.above.isEmpty() || missing.tests.size > 0,
    async ask(questions, population) {
      for (const { metric, isGrouped, what } of missing.ranks.take()) {
        const asked = { metric, population, by: isGrouped ? by : [], ranks: what };
        for (const { labels, rank, value } of await questions.orderStatistics(asked)) {
          ranks.set(keyOf(metric, isGrouped ? labels : null, rank), value);
        }
      }
      for (const { metric, isGrouped, what } of missing.above.take()) {
        const asked = { metric, population, by: isGrouped ? by : [], thresholds: what };
        for (const { labels, threshold, runs } of await questions.countsAbove(asked)) {
          above.set(keyOf(metric, isGrouped ? labels : null, threshold), runs);
        }
      }
      for (const [key, { metric, groups }] of missing.tests) {
        const sums = await questions.rankSums({ metric, population, by, groups });
        const inOrder = groups.flatMap((labels) =>
          sums.groups.filter((each) => by.every((name) => each.labels[name] === labels[name])),
        );
        tests.set(key, kruskalOf(inOrder, sums.ties));
      }
      missing.tests.clear();
    },
  };
}

/** What is wanted of each metric, of all runs and of groups. */
class Wanted<What extends number> {
  readonly #wanted = new Map<string, Set<What>>();

  add(metric: Metric, isGrouped: boolean, what: What): void {
    const key = `${metric} ${isGrouped}`;
    const wanted = this.#wanted.get(key) ?? new Set<What>();
    this.#wanted.set(key, wanted.add(what));
  }

  isEmpty(): boolean {
    return this.#wanted.size === 0;
  }

  take(): { metric: Metric; isGrouped: boolean; what: What[] }[] {
    const taken = METRICS.flatMap((metric) =>
      [false, true].map((isGrouped) => ({
        metric,
        isGrouped,
        what: [...(this.#wanted.get(`${metric} ${isGrouped}`) ?? [])].sort((a, b) => a - b),
      })),
    );
    this.#wanted.clear();
    return taken.filter(({ what }) => what.length > 0);
  }
}
