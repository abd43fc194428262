import { describe, expect, test } from 'vitest';
import { VERIFIED } from '../../src/calibrate/population.js';
import type { Questions } from '../../src/calibrate/questions.js';
import { type Asking, askUntilKnown } from '../../src/replay/asking.js';
import { countAbove } from '../../src/stats/ascending.js';

/** A database of four values of one metric, which tells what it was asked. */
function fake(told: string[]): Questions {
  const values = [10, 20, 30, 40];
  const unasked = (): never => {
    throw new Error('not asked here');
  };
  return {
    labelNames: unasked,
    toolNames: unasked,
    endings: unasked,
    labelSizes: unasked,
    repeatedTools: unasked,
    replay: unasked,
    stops: unasked,
    cells: unasked,
    close: async () => undefined,
    async orderStatistics({ metric, by, ranks }) {
      told.push(`${metric} by ${by.join()} ranks ${ranks.join()}`);
      return ranks.map((rank) => ({ labels: {}, rank, value: values[rank - 1] as number }));
    },
    async countsAbove({ metric, thresholds }) {
      told.push(`${metric} above ${thresholds.join()}`);
      return thresholds.map((threshold) => ({
        labels: {},
        threshold,
        runs: values.filter((value) => value > threshold).length,
      }));
    },
    async rankSums({ groups }) {
      told.push(`rank sums of ${groups.length}`);
      return { groups: groups.map((labels) => ({ labels, n: 2, doubled: 5n })), ties: 0n };
    },
  };
}

describe('askUntilKnown', () => {
  test('asks for all that is missing at once, then for what follows from it', async () => {
    const told: string[] = [];
    const answer = await askUntilKnown(fake(told), VERIFIED, [], ({ values }) => {
      const tokens = values('tokens', null, 4);
      const high = tokens.at(2) as number;
      return { low: tokens.at(0), high, above: countAbove(tokens, high), beyond: tokens.at(4) };
    });
    expect(answer).toStrictEqual({ low: 10, high: 30, above: 1, beyond: undefined });
    // The zero that stood for the value not known yet was asked for as well.
    expect(told).toStrictEqual(['tokens by  ranks 1,3', 'tokens above 0', 'tokens above 30']);
  });

  test('asks for the sums of a rank test once', async () => {
    const told: string[] = [];
    const test = ({ rankTest }: Asking): number => rankTest('usd', [{ kind: 'a' }, { kind: 'b' }]).df;
    expect(await askUntilKnown(fake(told), VERIFIED, ['kind'], test)).toBe(1);
    expect(told).toStrictEqual(['rank sums of 2']);
  });

  test('gives up where every answer asks for more', async () => {
    let next = 0;
    const more = ({ values }: Asking): number => values('tokens', null, 100).at(next++) as number;
    await expect(askUntilKnown(fake([]), VERIFIED, [], more)).rejects.toThrow('for ever');
  });
});
