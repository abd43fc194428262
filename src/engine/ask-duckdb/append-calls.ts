import type { Columns } from '../../model/table.js';
import type { Extent } from '../../model/totals.js';
import type { Bulks } from './tables.js';

/** What the calls of a run say of it. */
export interface Calls {
  /** The longest row of identical calls. */
  readonly streak: number;
  /** Whether some tool is called twice and no call has arguments. */
  readonly lacks: boolean;
}

/** Requests are the tool and, in the lower half, the arguments' code. */
const HALF = 2 ** 32;

/** Places of the columns of `calls`. */
const [ORD, PASS, CALL, SEQ, TOOL, REQUEST, HAS_ARGS, RESULT, FAILED, STREAK] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Appends the calls of one run after the other. @param tools the codes of all tools, which grow */
export function callsOf(
  columns: Columns,
  bulks: Bulks,
  tools: Map<string, number>,
): (extent: Extent, ord: number) => Calls {
  const { passes } = columns;
  const { calls } = passes;
  const toolOf = toolCodes(columns, bulks, tools);
  const bulk = bulks.calls;
  return ({ run, first, passes: made }, ord) => {
    let next = columns.firstCall(run);
    const called = new Set<number>();
    let [seq, streak, longest] = [0, 0, 0];
    let [lastRequest, lastResult] = [-1, -1];
    let [hasArguments, isTwice] = [false, false];
    for (let pass = 1; pass <= made; pass++) {
      const inPass = passes.callsOf(first + pass - 1);
      for (let call = 1; call <= inPass; call++, next++) {
        const tool = toolOf(next);
        const args = calls.argsCode(next);
        const result = calls.resultCode(next) ?? -1;
        const failed = calls.hasFailed(next);
        const request = tool * HALF + (args === null ? 0 : args + 1);
        streak = result !== -1 && result === lastResult && request === lastRequest ? streak + 1 : 1;
        if (streak > longest) longest = streak;
        lastRequest = request;
        lastResult = result;
        if (args !== null) hasArguments = true;
        if (!hasArguments && !isTwice) {
          isTwice = called.has(tool);
          called.add(tool);
        }
        bulk.number(ORD, ord);
        bulk.number(PASS, pass);
        bulk.number(CALL, call);
        bulk.number(SEQ, ++seq);
        bulk.number(TOOL, tool);
        bulk.number(REQUEST, request);
        bulk.number(HAS_ARGS, args === null ? 0 : 1);
        if (result !== -1) bulk.number(RESULT, result);
        if (failed !== null) bulk.number(FAILED, failed ? 1 : 0);
        bulk.number(STREAK, streak);
        bulk.endRow();
      }
    }
    return { streak: longest, lacks: !hasArguments && isTwice };
  };
}

/** The code in the stage of the tool of a call. */
function toolCodes({ passes }: Columns, { tools: bulk }: Bulks, tools: Map<string, number>): (call: number) => number {
  const codes: number[] = [];
  const { calls } = passes;
  const codeOf = (tool: string): number => {
    const known = tools.get(tool);
    if (known !== undefined) return known;
    const code = tools.size;
    tools.set(tool, code);
    bulk.number(0, code);
    bulk.text(1, tool);
    bulk.endRow();
    return code;
  };
  return (call) => {
    const own = calls.toolCode(call);
    codes[own] ??= codeOf(calls.toolText(call));
    return codes[own];
  };
}
