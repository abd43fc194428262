import { describe, expect, test } from 'vitest';
import { compileExpression } from '../../src/formats/verdicts/expression.js';
import { type OutcomeOptions, readOutcomes } from '../../src/formats/verdicts/outcomes.js';
import { joinOutcomes, namesOfRun } from '../../src/formats/verdicts/outcomes-join.js';
import type { Run } from '../../src/model/run.js';
import { passes, run } from '../builders.js';

const PLAIN: OutcomeOptions = { passed: null, key: null, passMark: 1 };

/** Keys and checks, in short. */
async function read(text: string, options: Partial<OutcomeOptions> = {}): Promise<string> {
  return (await readOutcomes(text, { ...PLAIN, ...options })).map(({ key, check }) => `${key}:${check}`).join(' ');
}

describe('readOutcomes(text)', () => {
  test.each([
    ['a list of passed ids', 'a\nb\n\nc-1\n', 'a:passed b:passed c-1:passed'],
    ['a JSON list of passed ids', '["a", "b"]', 'a:passed b:passed'],
    [
      'entries with a boolean',
      '[{"run_id":"a","passed":true},{"run_id":"b","passed":false},{"run_id":"c","passed":null}]',
      'a:passed b:failed c:none',
    ],
    ['entries as lines', '{"id":"a","resolved":true}\n{"id":"b","resolved":false}\n', 'a:passed b:failed'],
    ['an object by id', '{"a":true,"b":"failed","c":0.5,"d":1,"e":null}', 'a:passed b:failed c:failed d:passed e:none'],
    ['an object of objects by id', '{"a":{"resolved":true},"b":{"resolved":false}}', 'a:passed b:failed'],
    ['a report with lists', '{"stats":{"resolved":1},"resolved":["a"],"applied":["a","b"]}', 'a:passed b:failed'],
    [
      'a report with ids',
      '{"total":3,"resolved_ids":["a"],"unresolved_ids":["b"],"error_ids":["c"]}',
      'a:passed b:failed',
    ],
    ['CSV', 'task_id,score\na,1\nb,0.2\nc,\n', 'a:passed b:failed c:none'],
    ['CSV with words', '\ufeffid,verdict\r\na,PASS\r\nb,Fail\r\nc,unknown\r\n', 'a:passed b:failed c:none'],
    ['numbers as ids', '[{"task_id":7,"success":true}]', '7:passed'],
    [
      'a JSON list of passed numbers',
      '[7, 12345678901234567890, "b"]',
      '7:passed 12345678901234567890:passed b:passed',
    ],
    ['a report with numbers as ids', '{"resolved_ids":[1,2],"completed_ids":[1,2,3]}', '1:passed 2:passed 3:failed'],
    ['numbers on lines, to the letter', '7\n007\n1.0\n', '7:passed 007:passed 1.0:passed'],
    ['JSON texts on lines', '"a"\n"b"\n', 'a:passed b:passed'],
    ['one id', 'run-1\n', 'run-1:passed'],
    ['a JSON list of one number', '[7]', '7:passed'],
    [
      'a score that no double holds',
      '[{"id":"a","score":0.99999999999999999999},{"id":7,"score":"1e0"}]',
      'a:passed 7:passed',
    ],
    ['a word by an id of the same letters', '{"passed":"passed","failed":"failed"}', 'passed:passed failed:failed'],
  ])('reads %s', async (_what, text, expected) => {
    expect(await read(text)).toBe(expected);
  });

  test('expressions say whose verdict it is and what counts as passed', async () => {
    const text = '[{"n":1,"db":true,"said":null},{"n":2,"db":true,"said":false},{"n":3,"db":false,"said":true}]';
    const passed = compileExpression('db and said != false');
    expect(await read(text, { passed, key: compileExpression('"task_" & $string(n)') })).toBe(
      'task_1:passed task_2:failed task_3:failed',
    );
  });

  test('a pass mark for continuous scores', async () => {
    expect(await read('{"a":0.79,"b":0.8,"c":0.81}', { passMark: 0.8 })).toBe('a:failed b:passed c:passed');
  });

  test.each([
    ['', 'holds no verdict'],
    ['3', 'one bare number: 3'],
    ['12345678901234567890', 'one bare number: 12345678901234567890'],
    [' "run-1"\n', 'one bare string: "run-1"'],
    ['true', 'one bare boolean: true'],
    ['null', 'one bare null: null'],
    ['[1, 2', 'line 1 of the verdicts is not JSON: "[1, 2"'],
    ['\n{"id":"a","passed":true}\n{"id":"b","pas', 'line 3 of the verdicts is not JSON'],
    ['[[1]]', 'entry 1 has no id: [1]'],
    ['{"resolved_ids":[{"id":1}]}', 'the verdict of resolved_ids'],
    ['{"a":"Infinity"}', 'the verdict of a is "Infinity"'],
    ['{"a":1e999}', 'the verdict of a is 1e999'],
    ['{"a":"0x1"}', 'the verdict of a is "0x1"'],
    ['[{"score":1}]', 'entry 1 has no id'],
    ['[{"id":"a"}]', 'a has no verdict'],
    ['[{"id":"a","verdict":"perhaps"}]', 'the verdict of a is "perhaps"'],
    ['id,score\n"a,1\n', 'no CSV'],
  ])('%j: %s', async (text, fault) => {
    const outcome = await read(text).catch((error: Error) => error.message);
    expect(outcome).toContain(fault);
  });

  test('a bare value is told what is read', async () => {
    const fault = await readOutcomes('3', PLAIN).catch((error: unknown) => error);
    expect(fault).toMatchObject({
      hint: expect.stringMatching(/CSV.*list of entries or of passed ids.*by id.*a line/),
    });
  });
});

describe('joinOutcomes(runs, outcomes)', () => {
  const at = (file: string, fields: object = {}): Run => ({
    ...run({ status: 'done_claimed', check: 'none', passes: passes(1), ...fields }),
    origin: { file, line: null },
  });

  test('a run is named by id, task id, file name, folder, or the number at the end of the file name', () => {
    expect(namesOfRun(at('x/trial-3/task_12.jsonl', { id: 'r', labels: { task_id: 't' } }))).toEqual([
      'r',
      't',
      'task_12',
      'trial-3',
      '12',
    ]);
    expect(namesOfRun(at('<stdin>', { id: 'r' }))).toEqual(['r']);
    expect(namesOfRun(at('a/some_name.jsonl', { id: 'r' }))).toEqual(['r', 'some_name', 'a']);
  });

  test('gives verdicts, and tells what found no partner', () => {
    const runs = [
      at('task_1.jsonl', { id: 'a' }),
      at('task_2.jsonl', { id: 'b' }),
      at('x.jsonl', { id: 'c', status: 'stopped_budget' }),
      at('y.jsonl', { id: 'd' }),
    ];
    const { apply, summary } = joinOutcomes(runs, [
      { key: '1', check: 'passed' },
      { key: 'b', check: 'failed' },
      { key: 'c', check: 'passed' },
      { key: 'e', check: 'passed' },
    ]);
    expect(runs.map(apply).map(({ id, status, check }) => [id, status, check])).toEqual([
      ['a', 'done_verified', 'passed'],
      ['b', 'done_claimed', 'failed'],
      ['c', 'stopped_budget', 'passed'], // a stopped run keeps its status
      ['d', 'done_claimed', 'none'], // missing is none, never failed
    ]);
    expect(summary).toEqual({ joined: 3, runsAlone: ['d'], verdictsAlone: ['e'], ambiguous: [] });
  });

  test('a verdict that names several runs, or that another contradicts, is not taken', () => {
    const runs = [
      at('a.jsonl', { id: 'r1', labels: { task_id: 't' } }),
      at('b.jsonl', { id: 'r2', labels: { task_id: 't' } }),
      at('c.jsonl', { id: 'r3' }),
    ];
    const { apply, summary } = joinOutcomes(runs, [
      { key: 't', check: 'passed' },
      { key: 'r3', check: 'passed' },
      { key: 'r3', check: 'failed' },
    ]);
    expect(runs.map((each) => apply(each).check)).toEqual(['none', 'none', 'none']);
    expect(summary).toMatchObject({ joined: 0, ambiguous: ['r3', 't'] });
  });
});
