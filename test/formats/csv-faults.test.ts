import { describe, expect, it } from 'vitest';
import { csvPasses, csvSummary } from '../../src/formats/csv/csv.js';
import { ALONE, DEFAULT_READING, isProblem } from '../../src/formats/format.js';
import type { Problem } from '../../src/model/problem.js';
import { readAll } from './fixtures/read-all.js';

const AMOUNT = (column: string) => `${column} must be a whole number, 0 or more; leave it out where it is not known`;
const QUOTES = 'put a text that holds commas or quotes into quotes, and write a quote inside it twice ("")';
const CALLS = 'the rows of one pass are its calls: ';

function fault(line: number, reason: string, hint: string, raw: string | null): Problem {
  return { kind: 'problem', place: { file: 'runs', line }, reason, hint, raw };
}

/** Ids of the runs that were read, whole problems for the others. */
async function passes(...lines: (string | Uint8Array)[]): Promise<(string | Problem)[]> {
  const bytes = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
  const items = await readAll(csvPasses, bytes);
  expect(await readAll(csvPasses, bytes, 3)).toEqual(items);
  return items.map((item) => (isProblem(item) ? item : item.id));
}

const HEADER = 'run_id,status,pass,input_tokens,seconds,tool,label.kind';
const GOOD = ['a,running,1,5,1,t,x', 'b,running,1,5,1,t,x'];

describe('a header that cannot be used is one problem, and nothing else is read', () => {
  it('names a column that is missing, the nearest one and those found', async () => {
    const header = 'run_id,state,"pas",input_tokens';
    expect(await passes(header, 'a,running,1,5')).toEqual([
      fault(
        1,
        'no column status, pass',
        'is "state" meant for status? is "pas" meant for pass? the columns found are "run_id", "state", "pas", "input_tokens"',
        'run_id,state,pas,input_tokens',
      ),
    ]);
    expect(await passes('runid,status,pass', 'a,running,1')).toEqual([
      fault(
        1,
        'no column run_id',
        'is "runid" meant for run_id? the columns found are "runid", "status", "pass"',
        'runid,status,pass',
      ),
    ]);
  });

  it('tells semicolons and tabs from commas', async () => {
    const hint = 'export the table with commas';
    expect(await passes(HEADER.replaceAll(',', ';'), 'a;running;1;1,5;;;')).toEqual([
      fault(1, "columns are separated by ';', not by commas", hint, HEADER.replaceAll(',', ';')),
    ]);
    expect(await passes(HEADER.replaceAll(',', '\t'), 'a\trunning\t1')).toEqual([
      fault(1, 'columns are separated by tabs, not by commas', hint, HEADER.replaceAll(',', '\t')),
    ]);
    expect(await readAll(csvSummary, '\ufeff"run_id";"status"\r\na;running\r\n')).toEqual([
      fault(1, "columns are separated by ';', not by commas", hint, '"run_id";"status"'),
    ]);
  });

  it('tells a column that stands twice, bare carriage returns, a line break and bytes that are not UTF-8', async () => {
    expect(await passes('run_id,status,pass,status')).toEqual([
      fault(
        1,
        'column "status" stands twice in the header',
        'remove or rename one of the two',
        'run_id,status,pass,status',
      ),
    ]);
    expect(await passes('run_id,status,pass\ra,running,1')).toEqual(
      [
        fault(
          1,
          'lines end in a bare carriage return',
          'save the file with line ends \\n or \\r\\n',
          'run_id,status,"pass\ra",running,1',
        ),
      ].map((each) => ({ ...each, raw: 'run_id,status,"pass\ra",running,1' })),
    );
    expect(await passes('run_id,status,pass,"label.\nx"', 'a,running,1,y')).toMatchObject([
      { place: { line: 1 }, reason: 'a quoted cell holds a line break: the row goes on to line 2' },
    ]);
    expect(await passes(Buffer.from('run_id,status,pass,label.\xe9', 'latin1'), 'a,running,1,y')).toMatchObject([
      { place: { line: 1 }, reason: 'the row is not UTF-8 text', hint: 'save the file as UTF-8' },
    ]);
  });
});

describe('a bad row spoils its run only, in the place of the run', () => {
  const cases: readonly (readonly [name: string, row: string, reason: string, hint: string])[] = [
    ['NaN', 'c,running,1,NaN,1,t,x', 'input_tokens is "NaN"', AMOUNT('input_tokens')],
    ['negative tokens', 'c,running,1,-5,1,t,x', 'input_tokens is -5', AMOUNT('input_tokens')],
    ['fractional tokens', 'c,running,1,5.5,1,t,x', 'input_tokens is 5.5', AMOUNT('input_tokens')],
    [
      'Infinity',
      'c,running,1,5,Infinity,t,x',
      'seconds is "Infinity"',
      'seconds must be a number of seconds, 0 or more; leave it out where it is not known',
    ],
    [
      'a decimal comma',
      'c,running,1,5,"1,5",t,x',
      'seconds is "1,5"',
      'seconds must be a number of seconds, 0 or more; leave it out where it is not known',
    ],
    ['a pass that is no number', 'c,running,one,5,1,t,x', 'pass is "one"', AMOUNT('pass')],
    [
      'pass 0',
      'c,running,0,5,1,t,x',
      'pass is 0',
      'number the passes of a run from 1; leave pass empty for a run without any',
    ],
    [
      'an unknown status',
      'c,done,1,5,1,t,x',
      'unknown status "done"',
      'status must be one of done_verified, done_claimed, stopped_budget, halted_error, running',
    ],
    [
      'no status',
      'c,,1,5,1,t,x',
      'status is missing',
      'give one of done_verified, done_claimed, stopped_budget, halted_error, running',
    ],
    [
      'a status that the check contradicts',
      'c,done_verified,1,5,1,t,x',
      'status "done_verified" requires check "passed", but check is "none"',
      'correct one of the two',
    ],
    [
      'too few cells',
      'c,running,1,5',
      'the row has 4 cells, but the header has 7',
      'leave a cell empty where a value is not known, and quote a text that holds a comma',
    ],
    [
      'too many cells',
      'c,running,1,1,5,1,t,x',
      'the row has 8 cells, but the header has 7',
      'leave a cell empty where a value is not known, and quote a text that holds a comma',
    ],
    [
      'a line break in quotes',
      'c,running,1,5,1,t,"x\ny\nz"',
      'a quoted cell holds a line break: the row goes on to line 6',
      'write the line break as \\u000a, or record the runs as JSON lines',
    ],
    [
      'a pass field without a pass',
      'c,running,,,1,,x',
      'seconds is "1" on a row without a pass',
      'number the pass, or leave its cells empty',
    ],
    ['a run without id', ',running,1,5,1,t,x', 'run_id is empty', 'name the run of the row'],
  ];

  it.each(cases)('%s', async (_name, row, reason, hint) => {
    expect(await passes(HEADER, GOOD[0] as string, '', row, GOOD[1] as string)).toEqual([
      'a',
      fault(4, reason, hint, row),
      'b',
    ]);
  });

  it('bytes that are not UTF-8, wherever they stand', async () => {
    const row = Buffer.from('c,running,1,5,1,t\xe9,x', 'latin1');
    expect(await passes(HEADER, GOOD[0] as string, row, GOOD[1] as string)).toEqual([
      'a',
      fault(3, 'the row is not UTF-8 text', 'save the file as UTF-8', 'c,running,1,5,1,t\ufffd,x'),
      'b',
    ]);
    expect(await passes(HEADER, 'a\ufffd,running,1,5,1,t,x')).toEqual(['a\ufffd']);
  });

  it('a call without a tool, and a flag that is none', async () => {
    const header = 'run_id,status,pass,tool,result_digest,error';
    expect(await passes(header, 'a,running,1,,sha256:0,', 'b,running,1,t,,yes', 'c,running,1,t,,TRUE')).toEqual([
      fault(2, 'tool is empty, but result_digest is "sha256:0"', 'name the tool of the call', 'a,running,1,,sha256:0,'),
      fault(
        3,
        'error is "yes"',
        'error must be true or false; leave it empty where it is not known',
        'b,running,1,t,,yes',
      ),
      'c',
    ]);
  });

  it('evidence that is no JSON', async () => {
    expect(await passes('run_id,status,pass,evidence', 'a,running,,a log', 'b,running,,"""a log"""')).toEqual([
      fault(2, 'evidence is no JSON: "a log"', 'evidence must be JSON; a text stands in quotes', 'a,running,,a log'),
      'b',
    ]);
  });

  it('the first fault of a run stands for all of it', async () => {
    expect(
      await passes(HEADER, 'c,running,1,5,1,t,x', 'c,running,2,x,1,t,x', 'c,running,3,y,1,t,x', GOOD[0] as string),
    ).toEqual([
      fault(
        3,
        'input_tokens is "x"',
        AMOUNT('input_tokens'),
        'c,running,1,5,1,t,x\nc,running,2,x,1,t,x\nc,running,3,y,1,t,x',
      ),
      'a',
    ]);
  });

  it('all rows of a bad run are kept, wherever they stand', async () => {
    const rows = ['c,running,1,5,1,"t,u",x', GOOD[0] as string, 'c,running,2,x,1,t,x', 'c,running,3,5'];
    expect(await passes(HEADER, ...rows)).toEqual([
      fault(4, 'input_tokens is "x"', AMOUNT('input_tokens'), [rows[0], rows[2], rows[3]].join('\n')),
      'a',
    ]);
  });
});

describe('rows that do not fit together name both lines', () => {
  it('a run field that differs', async () => {
    const hint = 'run fields must be the same on every row of a run; give different runs different ids';
    expect(await passes(HEADER, 'a,running,1,5,1,t,x', GOOD[1] as string, 'a,running,2,5,1,t,y')).toEqual([
      fault(
        4,
        'label.kind is "y", but "x" on line 2, a row of the same run',
        hint,
        'a,running,1,5,1,t,x\na,running,2,5,1,t,y',
      ),
      'b',
    ]);
  });

  it('a figure of one pass that differs', async () => {
    expect(await passes(HEADER, 'a,running,1,5,1,t,x', 'a,running,1,5,,t,x')).toEqual([
      fault(
        3,
        'seconds is "", but another on line 2, a row of the same pass',
        `${CALLS}the figures of the pass must be the same on each`,
        'a,running,1,5,1,t,x\na,running,1,5,,t,x',
      ),
    ]);
  });

  it('a pass that stands twice without a tool', async () => {
    expect(await passes(HEADER, 'a,running,1,5,1,,x', 'a,running,1,5,1,t,x')).toEqual([
      fault(
        3,
        'pass 1 already stands on line 2, and one of the two rows names no tool',
        `${CALLS}name a tool on each, or remove the repeated row`,
        'a,running,1,5,1,,x\na,running,1,5,1,t,x',
      ),
    ]);
  });

  it('a row without a pass beside others', async () => {
    const hint = 'a run without passes has exactly one row; number the passes of every other run from 1';
    expect(
      await passes(HEADER, 'a,running,,,,,x', 'b,running,1,5,1,t,x', 'a,running,1,5,1,t,x', 'b,running,unknown,,,,x'),
    ).toEqual([
      fault(
        4,
        'pass is empty on line 2, but the run has another row on line 4',
        hint,
        'a,running,,,,,x\na,running,1,5,1,t,x',
      ),
      fault(
        5,
        'pass is "unknown" on line 5, but the run has another row on line 3',
        hint,
        'b,running,1,5,1,t,x\nb,running,unknown,,,,x',
      ),
    ]);
  });

  it('a gap in the numbers of the passes', async () => {
    const hint = 'number the passes of a run 1, 2, 3 … without a gap; is a row missing?';
    expect(
      await passes(HEADER, 'a,running,5,5,1,t,x', 'a,running,1,5,1,t,x', 'a,running,3,5,1,t,x', GOOD[1] as string),
    ).toEqual([
      fault(2, 'pass 2 of the run has no row', hint, 'a,running,5,5,1,t,x\na,running,1,5,1,t,x\na,running,3,5,1,t,x'),
      'b',
    ]);
  });
});

describe('a row that names no run leaves the runs it may have been of marked', () => {
  const BAD = Buffer.from('\xe9,running,2,5,1,t,x', 'latin1');
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => `${id},running,1,5,1,t,x`) as [string, string, string, string];

  /** Ids of the runs that were read, those marked with a star. */
  async function marked(...lines: (string | Uint8Array)[]): Promise<string[]> {
    const bytes = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
    const items = await readAll(csvPasses, bytes);
    return items.flatMap((item) =>
      isProblem(item) ? [] : [`${item.id}${item.labels.get('damaged') === 'true' ? '*' : ''}`],
    );
  }

  it.each<[string, (string | Uint8Array)[], string[]]>([
    ['no such row', [a, b, c], ['a', 'b', 'c']],
    ['a row without an id: the runs before and after', [a, b, ',running,2,5,1,t,x', c, d], ['a', 'b*', 'c*', 'd']],
    ['an id that is not UTF-8', [a, b, BAD, c, d], ['a', 'b*', 'c*', 'd']],
    ['the first row', [BAD, a, b], ['a*', 'b']],
    ['the last row', [a, b, BAD], ['a', 'b*']],
    ['a bad row that names its run', [a, b, 'e,running,2', c, d], ['a', 'b', 'c', 'd']],
    [
      'a table whose runs do not stand together: any run',
      [a, b, c, BAD, 'a,running,2,5,1,t,x', d],
      ['a*', 'b*', 'c*', 'd*'],
    ],
    [
      'a file that cannot be read to its end, likewise',
      [a, b, 'a,running,2,5,1,t,x', c, 'e,running,1,5,1,"t'],
      ['a*', 'b*'],
    ],
    ['the same, runs together: the one before is left out', [a, b, c, 'e,running,1,5,1,"t'], ['a', 'b']],
  ])('%s', async (_what, rows, expected) => {
    expect(await marked(HEADER, ...rows)).toEqual(expected);
  });

  it('a header whose first column is another: cells too many may have moved the id', async () => {
    const header = 'label.kind,run_id,status,pass';
    expect(await marked(header, 'x,a,running,1', 'x,y,a,running,2', 'x,b,running,1', 'x,c,running,1')).toEqual([
      'a*',
      'b*',
      'c',
    ]);
  });
});

describe('quotes out of step end the reading', () => {
  const behind = (row: string, line: number, cut: number) =>
    fault(
      line,
      `run "${row[0]}" may go on at line ${cut}, from which the file cannot be read`,
      `mend line ${cut}`,
      row,
    );

  it('a quote that is never closed: the run before it may be cut, the ones before that are whole', async () => {
    expect(
      await passes(HEADER, GOOD[0] as string, GOOD[1] as string, 'c,running,1,5,1,"t,x', 'd,running,1,5,1,t,x'),
    ).toEqual([
      'a',
      behind(GOOD[1] as string, 3, 4),
      fault(4, 'a quote is opened here and never closed; the file is not read any further', QUOTES, null),
    ]);
  });

  it('a quote that closes in a later row', async () => {
    expect(
      await passes(HEADER, GOOD[0] as string, 'c,running,1,5,1,"t,x', 'd,running,1,5,1,"t",x', GOOD[1] as string),
    ).toEqual([
      behind(GOOD[0] as string, 2, 3),
      fault(
        3,
        'a quoted cell that starts here does not end at a comma or a line end; the file is not read any further',
        QUOTES,
        null,
      ),
    ]);
  });

  it('a quote inside a cell', async () => {
    expect(await passes('run_id,status,pass,label.size', 'a,running,1,5" disk', 'b,running,1,')).toEqual([
      fault(
        2,
        'a quote stands inside a cell that does not start with one; the file is not read any further',
        QUOTES,
        null,
      ),
    ]);
    expect(await readAll(csvSummary, 'run_id,status\n"a,running\n')).toEqual([
      fault(2, 'a quote is opened here and never closed; the file is not read any further', QUOTES, null),
    ]);
  });
});

it('a source that fails while it is read fails the reading', async () => {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${HEADER}\n${GOOD[0]}\n`);
    throw new Error('cut short');
  }
  const reading = async () => {
    for await (const item of csvPasses.read(
      { name: 'runs', head: new Uint8Array(), bytes: bytes(), around: ALONE },
      DEFAULT_READING,
    ))
      void item;
  };
  await expect(reading()).rejects.toThrow('cut short');
});
