import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runOfRecord } from '../../src/formats/record.js';
import type { Json } from '../../src/model/json.js';
import {
  fillServers,
  hasServer,
  NEEDS_SERVER,
  PASSWORD,
  type Servers,
  startServers,
} from '../engine/ask-clickhouse/servers.js';
import { capfit, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const POLICY = 'reports/worked-example/policy.yaml';

describe.skipIf(!hasServer)(`--engine clickhouse, on two servers (${NEEDS_SERVER})`, () => {
  let servers: Servers;
  let table = '';
  scratchFolder();

  beforeAll(async () => {
    servers = await startServers(2);
    const lines = readFileSync(WORKED_EXAMPLE, 'utf8').trim().split('\n');
    const runs = lines.map((line, index) =>
      runOfRecord(JSON.parse(line) as Json, { file: 'runs.jsonl', line: index + 1 }),
    );
    table = await fillServers(runs, servers);
  }, 120_000);
  afterAll(() => servers.stop());

  test.each([
    ['derive', '--by', 'kind'],
    ['derive', '--where', 'kind!=success', '--claimed'],
    ['replay', '--policy', POLICY, '--by', 'kind'],
    ['sweep', '--passes', '10,20,none', '--tokens', '200_000,none'],
  ])(
    '%s %s %s %s %s: the JSON of memory',
    async (command, ...flags) => {
      const here = await capfit([command, WORKED_EXAMPLE, ...flags, '--json']);
      const there = await capfit([command, table, ...flags, '--json', '--engine', 'clickhouse'], {
        env: servers.env(),
      });
      expect(there).toStrictEqual(here);
    },
    120_000,
  );

  test('rows that convert writes fill the table as they are', async () => {
    const { out } = await capfit(['convert', WORKED_EXAMPLE, '--to', 'pass-table', '-q']);
    const made = await fillServers([], servers);
    await servers.command(`INSERT INTO ${made} FORMAT JSONEachRow\n${out}`);
    const here = await capfit(['derive', WORKED_EXAMPLE, '--json']);
    expect(await capfit(['derive', made, '--json', '--engine', 'clickhouse'], { env: servers.env() })).toStrictEqual(
      here,
    );
  }, 120_000);

  test('the commands of the README do what they say', async () => {
    const [block = ''] =
      /^```sh\n(clickhouse-client[\s\S]*?)^```$/m.exec(readFileSync('README.md', 'utf8'))?.slice(1) ?? [];
    const commands = block.trim().split('\n');
    expect(commands).toHaveLength(5);
    const [made = '', filled = '', named = '', ...asked] = commands as string[];
    // The client reads the statement of a file, and the rows of a pipe.
    await servers.command(readFileSync(made.replace('clickhouse-client < ', ''), 'utf8'));
    const [convert = '', client = ''] = filled.split(' | ');
    const { out } = await capfit(
      [...convert.split(' ').slice(1), '-q'].map((word) => word.replace('runs/', WORKED_EXAMPLE)),
    );
    await servers.command(`${/"(.*)"/.exec(client)?.[1]}\n${out}`);
    expect(named).toMatch(/^export CAPFIT_CLICKHOUSE_URL=\S+ CLICKHOUSE_USER=\S+ CLICKHOUSE_PASSWORD=\S+$/);
    for (const command of asked) {
      const argv = command
        .split(' ')
        .slice(1)
        .map((word) => word.replace(/^policy\.yaml$/, POLICY));
      const { code, out: told } = await capfit(argv, { env: servers.env() });
      expect(code).toBe(0);
      const memory = argv
        .map((word) => word.replace('capfit_passes', WORKED_EXAMPLE))
        .filter((word) => !/engine|clickhouse/.test(word));
      const here = await capfit(memory);
      // In memory the shapes of the distributions are drawn as well.
      const lines = told.split('\n').filter((line) => /^(?:passes|tokens|seconds) /.test(line));
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines)
        expect(here.out.replaceAll(/ +[▁-█ ]+$/gm, '')).toContain(line.trimEnd().split('  ')[0]);
    }
  }, 120_000);

  test.each([
    ['a table that is not there', 'nowhere', {}, 'nowhere'],
    ['a wrong password', null, { CLICKHOUSE_PASSWORD: 'wrong-secret' }, 'CLICKHOUSE_PASSWORD'],
    ['no server', null, { CAPFIT_CLICKHOUSE_URL: 'http://127.0.0.1:9' }, '127.0.0.1:9'],
  ])('%s ends it with 3, and no secret is told', async (_, name, env, word) => {
    const { code, out, err } = await capfit(['derive', name ?? table, '--engine', 'clickhouse'], {
      env: { ...servers.env(), ...env },
    });
    expect([code, out]).toStrictEqual([3, '']);
    expect(err).toContain(word);
    expect(err).not.toContain(PASSWORD);
    expect(err).not.toContain('wrong-secret');
  });
});
