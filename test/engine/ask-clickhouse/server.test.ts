import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../../src/model/run.js';
import { expectAnswers, expectRules } from './answers.js';
import { asked, EVERY_RULE, longExempt, manyRuns, marks, repeatingRuns } from './cases.js';
import { expectFigures } from './figures.js';
import { hasServer, NEEDS_SERVER, openServerLink, type Servers, startServers } from './servers.js';

const CASES = 10;

describe.skipIf(!hasServer)(`the dialect on two servers of 2018 (${NEEDS_SERVER})`, () => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers(2);
  });
  afterAll(() => servers.stop());

  it('answers what the runs themselves say, wherever their rows lie', async () => {
    await fc.assert(
      fc.asyncProperty(manyRuns, asked, marks, async (runs, wanted, given) => {
        const link = await openServerLink(runs, servers);
        try {
          await expectAnswers(link, runs, wanted, given);
        } finally {
          await link.close();
        }
      }),
      { numRuns: CASES, seed: 20261130 },
    );
    // Rows of the first table lie on both.
    const each = await Promise.all([0, 1].map((index) => servers.command('SELECT count() FROM passes_0_local', index)));
    expect(each).not.toContain('0');
  }, 300_000);

  it('finds where rules of every kind are reached', async () => {
    const [runs] = fc.sample(repeatingRuns, { numRuns: 1, seed: 20261130 }) as [Run[]];
    const link = await openServerLink(runs, servers);
    await expectRules(link, runs, EVERY_RULE);
    await link.close();
  }, 100_000);

  it('takes rules that leave out many tools, also in more text than servers read by themselves', async () => {
    const [runs] = fc.sample(repeatingRuns, { numRuns: 1, seed: 20261130 }) as [Run[]];
    const link = await openServerLink(runs, servers);
    const rules = longExempt('😀');
    expect(Buffer.byteLength(rules.flatMap(({ exempt }) => exempt).join())).toBeGreaterThan(200 * 1024);
    await expectRules(link, runs, rules);
    await link.close();
  }, 100_000);

  it('ranks and adds up exactly', async () => {
    const link = await openServerLink([], servers);
    await expectFigures(link, 10);
    await link.close();
  }, 100_000);
});
