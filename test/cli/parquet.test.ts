import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasClient, NEEDS_CLIENT } from '../engine/client.js';
import { capfit, goodLine, put, scratchFolder, WORKED_EXAMPLE } from './harness.js';

const folder = scratchFolder();

describe.skipIf(!hasClient)(`Parquet as it is written (${NEEDS_CLIENT})`, () => {
  test('runs converted to Parquet are calibrated to the same figures', async () => {
    const path = join(folder, 'runs.parquet');
    const converted = await capfit(['convert', WORKED_EXAMPLE, '-o', path, '--json']);
    expect(JSON.parse(converted.out)).toMatchObject({ output: path, form: 'parquet', runs: 400, bad_records: 0 });
    const [before, after] = [
      await capfit(['calibrate', WORKED_EXAMPLE, '--json']),
      await capfit(['calibrate', path, '--json']),
    ];
    expect(JSON.parse(after.out)).toEqual(JSON.parse(before.out));
    expect(after.code).toBe(0);
  });

  test('generated runs are written as Parquet too', async () => {
    const [path, text] = [join(folder, 'made.parquet'), join(folder, 'made.jsonl')];
    for (const file of [path, text]) await capfit(['generate', '--runs', '50', '--seed', '3', '-o', file, '--quiet']);
    const [one, other] = [await capfit(['derive', path, '--json']), await capfit(['derive', text, '--json'])];
    expect(JSON.parse(one.out)).toEqual(JSON.parse(other.out));
  });

  test('Parquet is written to a file only, unpacked, and whole or not at all', async () => {
    const runs = put(folder, 'good.jsonl', goodLine('a') + goodLine('b'));
    expect(await capfit(['convert', runs, '--to', 'parquet'])).toMatchObject({
      code: 2,
      out: '',
      err: 'capfit: --to parquet: a Parquet file is written to a file only\n  name it, for instance -o runs.parquet\n',
    });
    const packed = await capfit(['convert', runs, '--to', 'parquet', '-o', join(folder, 'x.parquet.gz')]);
    expect(packed).toMatchObject({ code: 2, out: '' });
    const bad = put(folder, 'bad.jsonl', `${goodLine('a')}{"id": 1}\n`);
    const broken = await capfit(['convert', bad, '-o', join(folder, 'broken.parquet')]);
    expect(broken).toMatchObject({ code: 3, out: '' });
    expect(broken.err).toContain('bad.jsonl:2');
    expect(existsSync(join(folder, 'broken.parquet'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('.tmp'))).toEqual([]);
  });
});
