import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { capfit, put, scratchFolder } from './harness.js';

const folder = scratchFolder();

const HEAD = 'run_id,status,check,pass,input_tokens,output_tokens,seconds,tool,args_digest,result_digest,label.agent';
const rowsOf = (id: string, agent = 'x'): string =>
  [1, 2, 3].map((pass) => `${id},done_verified,passed,${pass},${pass}00,5,1.5,search,a,b,${agent}\n`).join('');

/** What is said of a table read quickly, and of the same one packed, which only the slow reader reads. */
async function both(name: string, table: string, ...argv: readonly string[]): Promise<[unknown, unknown]> {
  const packed = put(folder, `${name}.gz`, gzipSync(table));
  const said = async (path: string) => {
    const { code, out, err } = await capfit([argv[0] ?? '', path, ...argv.slice(1)]);
    return { code, out: out.replaceAll('.gz', ''), err: err.replaceAll('.gz', '') };
  };
  return [await said(put(folder, name, table)), await said(packed)];
}

describe('a table of passes', () => {
  const good = `${HEAD}\n${rowsOf('a')}${rowsOf('b', 'y')}${rowsOf('c')}`;

  test.each([
    ['is counted', good, ['derive', '--json']],
    ['is filtered', good, ['derive', '--where', 'agent=x', '--json']],
    ['is grouped', good, ['derive', '--by', 'agent', '--json']],
    ['is replayed by its calls', good, ['replay', '--preset', 'balanced', '--json']],
    ['with a bad row is told of it', `${good}d,done,passed,1,1,1,1,,,,x\n`, ['derive', '--json']],
    ['with a bad row is read without it', `${good}d,done,passed,1,1,1,1,,,,x\n`, ['derive', '--on-error', 'skip']],
    ['with scattered runs is joined', `${good}a,done_verified,passed,4,1,1,1,,,,x\n`, ['derive', '--json']],
    ['without rows has nothing to tell', `${HEAD}\n`, ['derive']],
    ['is cut at its runs for threads', good, ['derive', '--threads', '2', '--json']],
  ])('%s', async (name, table, argv) => {
    const [quick, slow] = await both(`${name.replaceAll(' ', '-')}.csv`, table, ...argv);
    expect(quick).toEqual(slow);
  });

  test('beside a file that has one of its runs is read run by run', async () => {
    const one = put(folder, 'one.csv', good);
    const two = put(folder, 'two.csv', `${HEAD}\n${rowsOf('d')}${rowsOf('b')}`);
    const ran = await capfit(['derive', one, two, '--json', '--on-error', 'skip']);
    expect(JSON.parse(ran.out)).toMatchObject({ runs: 4 });
    expect(ran.err).toContain('run id "b" was already read at');
  });
});
