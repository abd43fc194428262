import { describe, expect, test } from 'vitest';
import { ALONE, DEFAULT_READING, type FieldTally } from '../../src/formats/format.js';
import { mappedFormat, readMapping } from '../../src/formats/mapping/mapping.js';

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** `key: found of asked`, for each expression that a mapping asks of a file. */
async function tallied(mapping: string, content: string): Promise<readonly FieldTally[]> {
  const reading = readMapping(`capfit: map/v1\n${mapping}`, 'm.yaml');
  if (reading.mapping === null) throw new Error(JSON.stringify(reading.problems));
  const heard: FieldTally[] = [];
  const source = { name: 'f', head: Buffer.from(content), bytes: once(content), around: ALONE };
  const options = { ...DEFAULT_READING, onTallies: (each: readonly FieldTally[]) => heard.push(...each) };
  for await (const _item of mappedFormat(reading.mapping).read(source, options));
  return heard;
}

async function inShort(mapping: string, content: string): Promise<string[]> {
  return (await tallied(mapping, content)).map(({ key, found, asked }) => `${key}: ${found} of ${asked}`);
}

const ROWS = 'name,passed,note\na,true,\nb,false,\nc,,\n';

describe('tallies of a mapping', () => {
  test('tell of each expression how often it was asked and found something, and what was there', async () => {
    expect(await tallied('id: name\ncheck: passd\nlabels: {n: note, k: 7}\n', ROWS)).toStrictEqual([
      { file: 'f', key: 'id', expression: 'name', asked: 3, found: 3, fields: ['name', 'passed'] },
      { file: 'f', key: 'check', expression: 'passd', asked: 3, found: 0, fields: ['name', 'passed'] },
      { file: 'f', key: 'labels.n', expression: 'note', asked: 3, found: 0, fields: ['name', 'passed'] },
    ]);
  });

  test('a comparison with what is not there has found nothing; one that is false has', async () => {
    const text =
      'id: name\ncheck: passd = "true"\nlabels: {right: passed = "true", either: passd = "a" or passed = "b"}\n';
    expect(await inShort(text, ROWS)).toStrictEqual([
      'id: 3 of 3',
      'check: 0 of 3',
      'labels.right: 2 of 3',
      'labels.either: 3 of 3',
    ]);
  });

  test('passes, calls and events are counted one by one; what is never asked is not told', async () => {
    const runs = '{"id":"a","turns":[{"in":1,"out":2,"tools":[{"name":"x"},{"name":"y"}]},{"in":3}]}\n{"id":"b"}\n';
    const mapping =
      'id: id\npasses: turns\npass: {input_tokens: in, output_tokens: ot, calls: tools}\ncall: {tool: name, result: res}\n';
    expect(await inShort(mapping, runs)).toStrictEqual([
      'id: 2 of 2',
      'passes: 1 of 2',
      'pass.input_tokens: 2 of 2',
      'pass.output_tokens: 0 of 2',
      'pass.calls: 1 of 2',
      'call.tool: 2 of 2',
      'call.result: 0 of 2',
    ]);
    const events = '{"id":"a","log":[{"kind":"model"},{"kind":"tool"}]}\n';
    expect(await inShort('id: id\nevents: log\npass_when: kind = "llm"\n', events)).toContain('pass_when: 0 of 2');
    expect(await inShort('id: id\nevents: log\npass_when: kind = "model"\n', events)).toContain('pass_when: 1 of 2');
  });

  test('the runs are the same whether anybody listens or not', async () => {
    const reading = readMapping('capfit: map/v1\nid: name\ncheck: passed\nlabels: {n: passed}\n', 'm.yaml');
    if (reading.mapping === null) throw new Error('no mapping');
    const runs: unknown[] = [];
    const source = { name: 'f', head: Buffer.from(ROWS), bytes: once(ROWS), around: ALONE };
    for await (const item of mappedFormat(reading.mapping).read(source, DEFAULT_READING)) runs.push(item);
    expect(runs).toMatchObject([
      { id: 'a', check: 'passed', labels: new Map([['n', 'true']]) },
      { id: 'b', check: 'failed', labels: new Map([['n', 'false']]) },
      { id: 'c', check: 'none', labels: new Map() },
    ]);
  });
});
