import { type Mark, NO_PLACE, type RunsAsked, STEP, SUMMED_LIMITS } from '../ask/dialect.js';
import { type Added, chosen, type Layer, layer } from './layers.js';
import { rulePartsOf, ruleSought } from './rules.js';
import { runColumns, runsLayer } from './runs.js';
import { flatSql, wholeSql } from './words.js';

const PASS = 2 * STEP;
const NOWHERE = wholeSql(NO_PLACE);

/** The columns of the runs and of the marks, and `c_L`, the counters that a later question may look up. */
export function marksLayer(table: string, asked: RunsAsked, marks: readonly Mark[]): Layer {
  const parts = new Set(marks.flatMap((mark) => (mark.kind === 'rule' ? rulePartsOf(mark.rule) : [])));
  const hasRules = marks.some(({ kind }) => kind === 'rule');
  const runs = runsLayer(table, asked, parts);
  const sought = seek(hasRules ? layer(runs, PLACES) : runs, marks);
  const columns = [...runColumns(asked), ...SUMMED_LIMITS.map((limit) => `c_${limit}`)];
  return chosen(
    sought,
    columns,
    Object.assign(
      {},
      ...marks.map((mark, index) => (mark.kind === 'cap' ? capMark(mark, index) : ruleMark(mark, index))),
    ),
  );
}

/** Places before the first call of each pass, and of each call. */
const PLACES: Added = {
  f_before: `arrayMap(k -> ${PASS} * toInt64(k) - ${STEP}, arrayEnumerate(made))`,
  f_place: flatSql(
    `arrayMap((n, k) -> arrayMap(i -> ${PASS} * toInt64(k) - ${STEP} + toInt64(i) + 1, range(toUInt64(n))), made, arrayEnumerate(made))`,
  ),
};

/** First places as columns, 0 for none: what follows names them more than once. */
function seek(from: Layer, marks: readonly Mark[]): Layer {
  let base = from;
  const added: Record<string, string> = {};
  for (const [index, mark] of marks.entries()) {
    if (mark.kind === 'cap') {
      added[`x${index}`] = `toInt64(arrayFirstIndex(c -> c >= ${wholeSql(mark.cap)}, c_${mark.limit}))`;
      added[`y${index}`] = `toInt64(arrayFirstIndex(c -> c < 0, c_${mark.limit}))`;
      if (mark.atDispatch) added[`z${index}`] = dispatchPlace(mark.cap);
    } else {
      const { layer: next, reached, blind } = ruleSought(base, mark.rule);
      base = next;
      added[`x${index}`] = reached;
      added[`y${index}`] = blind;
    }
  }
  return layer(base, added);
}

function capMark({ atDispatch }: Extract<Mark, { kind: 'cap' }>, index: number): Added {
  const boundary = `if(x${index} > 0 AND x${index} < kept, ${PASS} * x${index}, ${NOWHERE})`;
  return {
    [`p${index}`]: atDispatch ? `least(${boundary}, z${index})` : boundary,
    [`b${index}`]: `if(y${index} > 0, ${PASS} * y${index}, ${NOWHERE})`,
  };
}

/** The first call before which so many steps have been emitted: those before its pass, the plan, and two a call. */
function dispatchPlace(cap: number): string {
  const before = 'arraySlice(arrayConcat([toInt64(0)], c_steps), 1, length(made))';
  const call = `greatest(toInt64(1), intDiv(${wholeSql(cap)} - b + 1, 2))`;
  const places = `arrayMap((b, n, k) -> if(b >= 0 AND n > 0 AND b + 2 * n >= ${wholeSql(cap)}, ${PASS} * toInt64(k) - ${STEP} + ${call}, 0), ${before}, made, arrayEnumerate(made))`;
  return `toInt64(arrayFirst(z -> z > 0, arrayConcat(${places}, [${NOWHERE}])))`;
}

function ruleMark({ rule }: Extract<Mark, { kind: 'rule' }>, index: number): Added {
  const end = `(intDiv(x${index}, ${PASS}) + 1) * ${PASS}`;
  const inTime = rule.when === 'before_dispatch' ? 'toUInt8(1)' : `${end} < ${PASS} * kept`;
  const place = rule.when === 'before_dispatch' ? `x${index}` : end;
  return {
    [`p${index}`]: `if(x${index} > 0 AND ${inTime}, ${place}, ${NOWHERE})`,
    [`b${index}`]: `if(y${index} > 0 AND (x${index} = 0 OR y${index} < ${end}), y${index}, ${NOWHERE})`,
    [`e${index}`]: `toInt64(x${index} > 0)`,
  };
}
