import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** What scripts/simulate-truth.mjs wrote into the page, in percent where it is. */
interface Row {
  readonly runs: string;
  readonly n: number;
  readonly padding: number;
  readonly truth: number;
  readonly inSample: number;
  readonly inSampleCovers: number;
  readonly held: number;
  readonly heldCovers: number;
  readonly claimHolds: number;
}

const PAGE = readFileSync('docs/simulated-truth.md', 'utf8');
const ROWS: readonly Row[] = PAGE.split('\n')
  .filter((line) => /^\| (?:one cap|three caps), /.test(line))
  .map((line) => {
    const [runs = '', ...cells] = line.slice(2, -2).split(' | ');
    const [n, padding, truth, inSample, inSampleCovers, held, heldCovers, claimHolds] = cells.map(
      Number.parseFloat,
    ) as number[];
    return { runs, n, padding, truth, inSample, inSampleCovers, held, heldCovers, claimHolds } as Row;
  });
const names = (rows: readonly Row[]): string[] => rows.map(({ runs, n, padding }) => `${runs} ${n} ${padding}`);

describe('docs/simulated-truth.md', () => {
  test('has a row for each kind of runs, size and padding', () => {
    const kinds = ['one cap, lognormal', 'one cap, heavy tail', 'three caps, unrelated', 'three caps, related'];
    const wanted = kinds.flatMap((kind) =>
      [50, 100, 310, 1000].flatMap((n) => [1, 1.2].map((p) => `${kind} ${n} ${p}`)),
    );
    expect(names(ROWS)).toEqual(wanted);
    for (const row of ROWS) for (const value of Object.values(row)) expect(value).not.toBeNaN();
  });

  test('the sample shows less than the truth, in every row', () => {
    expect(names(ROWS.filter(({ inSample, truth }) => inSample >= truth))).toEqual([]);
  });

  test('the cross-validated rate is nearer to the truth than the one of the sample, wherever that is off by a tenth', () => {
    const worse = ROWS.filter(({ truth, inSample, held }) => {
      const [seen, aside] = [Math.abs(inSample / truth - 1), Math.abs(held / truth - 1)];
      return seen > 0.1 && aside >= seen;
    });
    expect(names(worse)).toEqual([]);
  });

  test('the interval of the sample fails clearly only where several caps stand on the sample', () => {
    const failing = ROWS.filter(({ inSampleCovers }) => inSampleCovers < 93);
    expect(failing.length).toBeGreaterThan(1);
    expect(failing.every(({ runs, padding }) => runs === 'three caps, unrelated' && padding === 1)).toBe(true);
  });

  test('padded, or alone, the interval of the sample covers the truth often enough', () => {
    const others = ROWS.filter(({ runs, padding }) => padding === 1.2 || runs.startsWith('one cap'));
    expect(names(others.filter(({ inSampleCovers }) => inSampleCovers < 95))).toEqual([]);
  });

  test('the cross-validated rate errs on the safe side, and not by much', () => {
    expect(names(ROWS.filter(({ held, truth }) => held < truth || held > 1.25 * truth))).toEqual([]);
    expect(names(ROWS.filter(({ heldCovers }) => heldCovers < 90.5 || heldCovers > 97.5))).toEqual([]);
  });

  test('what plan lets claim holds', () => {
    expect(names(ROWS.filter(({ claimHolds }) => claimHolds < 93.5))).toEqual([]);
  });
});
