import fc from 'fast-check';

/** Tables of passes as pipelines leave them: in perfect order, or not quite. */

type Cell = string | number | boolean | null;
export type Row = { readonly [column: string]: Cell };

/** Rows in perfect order: those of a run together, a row for every call, passes numbered from 1. */
const tidyRows: fc.Arbitrary<Row[]> = fc
  .array(fc.array(fc.nat(2), { maxLength: 3 }), { minLength: 1, maxLength: 4 })
  .map((callsOfRuns) => callsOfRuns.flatMap((calls, run) => rowsOfRun(`run-${run}`, calls)));

function rowsOfRun(id: string, calls: readonly number[]): Row[] {
  const own = { run_id: id, status: 'done_verified', check: 'passed', started_at: '2026-03-01T09:00:00Z' };
  const noCall = { tool: null, args_digest: null, result_digest: null, error: null };
  const none = { input_tokens: null, output_tokens: null, cache_read_tokens: null, seconds: null, steps: null };
  if (calls.length === 0) return [{ ...own, pass: null, ...none, ...noCall }];
  return calls.flatMap((count, at): Row[] => {
    const figures = { input_tokens: 5 + at, output_tokens: 7, cache_read_tokens: 1, seconds: 0.1, steps: null };
    const row = { ...own, pass: at + 1, ...figures };
    if (count === 0) return [{ ...row, ...noCall }];
    return Array.from({ length: count }, (_, call) => ({
      ...row,
      tool: ['search', 'poll'][call % 2] as string,
      args_digest: 'x',
      result_digest: call === 0 ? 'x' : null,
      error: call === 0,
    }));
  });
}

/** What may be wrong with a cell, or merely uncommon. */
const change = fc.constantFrom<readonly [column: string, cell: Cell]>(
  ...(['run-0', 'other', '', null].map((cell) => ['run_id', cell]) as [string, Cell][]),
  ...(['running', 'done'].map((cell) => ['status', cell]) as [string, Cell][]),
  ...(['none', null].map((cell) => ['check', cell]) as [string, Cell][]),
  ...([null, 0, 1, 2, 9, -1].map((cell) => ['pass', cell]) as [string, Cell][]),
  ...([6, -1, null, 2 ** 53].map((cell) => ['input_tokens', cell]) as [string, Cell][]),
  ...([null, 7.5, -1, 1e300].map((cell) => ['output_tokens', cell]) as [string, Cell][]),
  ...([-1, null, 2].map((cell) => ['cache_read_tokens', cell]) as [string, Cell][]),
  ...([0.0000005, 0.0000015, 0.0000025, 4e9, 1e6, -1, null].map((cell) => ['seconds', cell]) as [string, Cell][]),
  ...([3, 1.5, 0, 2 ** 52].map((cell) => ['steps', cell]) as [string, Cell][]),
  ...(['search', null, ''].map((cell) => ['tool', cell]) as [string, Cell][]),
  ...([null, 'y', ''].map((cell) => ['args_digest', cell]) as [string, Cell][]),
  ...([null, true].map((cell) => ['error', cell]) as [string, Cell][]),
  ...(['today', '2026-03-01T09:00:00.5+01:00', '2026-02-30T09:00:00Z', null].map((cell) => ['started_at', cell]) as [
    string,
    Cell,
  ][]),
);

/** Rows as somebody's pipeline may have left them: all in order, or a cell changed, or a row moved or lost. */
export const rows: fc.Arbitrary<Row[]> = fc
  .tuple(
    tidyRows,
    fc.array(fc.tuple(fc.nat(20), change), { maxLength: 2 }),
    fc.option(fc.tuple(fc.nat(20), fc.nat(20))),
  )
  .map(([tidy, changes, move]) => {
    const made = [...tidy];
    for (const [at, [column, cell]] of changes) {
      const place = at % made.length;
      made[place] = { ...(made[place] as Row), [column]: cell };
    }
    if (move === null || made.length === 1) return made;
    const [moved] = made.splice(move[0] % made.length, 1);
    if (move[1] % 3 > 0) made.splice(move[1] % made.length, 0, moved as Row);
    return made;
  });

const TYPES: { readonly [column: string]: string } = {
  pass: 'INTEGER',
  input_tokens: 'BIGINT',
  output_tokens: 'DOUBLE',
  cache_read_tokens: 'SMALLINT',
  seconds: 'DOUBLE',
  steps: 'DOUBLE',
  error: 'BOOLEAN',
};

/** A SELECT of the rows. */
export function valuesSql(made: readonly Row[]): string {
  const names = Object.keys(made[0] as Row);
  const value = (each: Row, name: string): string => {
    const cell = each[name] ?? null;
    const literal = typeof cell === 'string' ? `'${cell}'` : String(cell);
    return `${literal}::${TYPES[name] ?? 'VARCHAR'}`;
  };
  const lines = made.map((each) => `(${names.map((name) => value(each, name)).join(', ')})`);
  return `SELECT * FROM (VALUES ${lines.join(', ')}) AS t(${names.map((name) => `"${name}"`).join(', ')})`;
}
