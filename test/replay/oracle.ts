/**
 * A second, slow replay, written from the rules alone and sharing no code with src: it works on the JSON of records
 * and policies, counts in BigInt, and recomputes everything from the start at every boundary.
 */
import type { PolicyRecord, RunRecord } from '../arbitraries.js';

// biome-ignore lint/suspicious/noExplicitAny: the oracle reads raw JSON
type Any = any;
const LIMITS = ['passes', 'tokens', 'seconds', 'usd', 'steps'];
const SCALES: { [limit: string]: number } = { passes: 0, tokens: 0, steps: 0, seconds: 6, usd: 9 };

/** A JSON number as a whole number of 10^-places, nearest, half to even. */
function scaled(value: number, places: number): bigint {
  let [mantissa = '', exponent = '0'] = String(value).split('e');
  const dot = mantissa.indexOf('.');
  let point = (dot === -1 ? mantissa.length : dot) + Number(exponent) + places;
  mantissa = mantissa.replace('.', '');
  if (point < 0) {
    mantissa = '0'.repeat(-point) + mantissa;
    point = 0;
  }
  const whole = BigInt(mantissa.slice(0, point).padEnd(point, '0') || '0');
  const rest = mantissa.slice(point).replace(/0+$/, '');
  if (rest === '' || rest[0]! < '5') return whole;
  if (rest === '5') return whole + (whole & 1n);
  return whole + 1n;
}

function known(value: Any): boolean {
  return value !== null && value !== undefined;
}

function partOf(pass: Any, limit: string): bigint | null {
  if (limit === 'passes') return 1n;
  if (limit === 'tokens') {
    return known(pass.input_tokens) && known(pass.output_tokens)
      ? BigInt(pass.input_tokens + pass.output_tokens)
      : null;
  }
  if (limit === 'steps') {
    if (known(pass.steps)) return BigInt(pass.steps);
    const calls = (pass.calls ?? []).length;
    return BigInt(calls > 0 ? 1 + 2 * calls : 2);
  }
  return known(pass[limit]) ? scaled(pass[limit], SCALES[limit]!) : null;
}

function counterAt(passes: Any[], k: number, limit: string): bigint | null {
  let sum = 0n;
  for (const pass of passes.slice(0, k)) {
    const part = partOf(pass, limit);
    if (part === null) return null;
    sum += part;
  }
  return sum;
}

function sorted(value: Any): Any {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
}

function normal(content: Any): string {
  if (typeof content === 'string') {
    try {
      return JSON.stringify(sorted(JSON.parse(content)));
    } catch {
      return JSON.stringify(content);
    }
  }
  return JSON.stringify(sorted(content));
}

/** What identifies a call for a rule; a call without a result is unlike everything, itself included. */
function identity(call: Any, key: string): string | symbol {
  const part = (name: string): string | null =>
    known(call[name])
      ? `content ${normal(call[name])}`
      : known(call[`${name}_digest`])
        ? `digest ${call[`${name}_digest`]}`
        : null;
  if (key !== 'request' && part('result') === null) return Symbol();
  if (key === 'request') return JSON.stringify([call.tool, part('args')]);
  if (key === 'result') return part('result')!;
  return JSON.stringify([call.tool, part('args'), part('result')]);
}

/** The calls that a rule sees, pass by pass up to some pass, and of the pass after it the first few. */
function callsSeen(rule: Any, passes: Any[], k: number, more = 0): Any[] {
  return [...passes.slice(0, k).flatMap((pass) => pass.calls ?? []), ...(passes[k]?.calls ?? []).slice(0, more)].filter(
    (call: Any) => !(rule.exempt ?? []).includes(call.tool),
  );
}

/** A rule's count over the calls seen and the passes ended: the most that it stood at at any moment. */
function ruleCount(rule: Any, passes: Any[], k: number, more = 0): number {
  if (rule.rule === 'idle') return longestRow(passes.slice(0, k).map((pass) => (pass.calls ?? []).length === 0));
  const calls = callsSeen(rule, passes, k, more);
  if (rule.rule === 'errors') return longestRow(calls.map((call) => call.error === true));
  if (rule.rule === 'stale') {
    const results = calls.map((call) => identity(call, 'result'));
    return longestRow(results.map((result, i) => results.indexOf(result) < i));
  }
  const ids = calls.map((call) => identity(call, rule.key ?? 'call'));
  if (rule.window !== undefined) return mostAlike(ids, rule.window);
  if (rule.scope === 'run') return mostAlike(ids, ids.length);
  return mostBlocks(ids, rule.min_period ?? 1, rule.period ?? 1);
}

function longestRow(marks: boolean[]): number {
  return Math.max(0, ...marks.map((_, i) => [...marks.slice(i), false].indexOf(false)));
}

/** The most alike among any so many in a row. */
function mostAlike(ids: Any[], size: number): number {
  return Math.max(0, ...ids.map((id, i) => ids.slice(Math.max(0, i + 1 - size), i + 1).filter((x) => x === id).length));
}

/** The most repetitions of one block of events, of any length allowed, one straight after the other. */
function mostBlocks(ids: Any[], shortest: number, longest: number): number {
  let most = 0;
  for (let period = shortest; period <= longest; period++) {
    for (let from = 0; from + period <= ids.length; from++) {
      const block = ids.slice(from, from + period);
      let times = 1;
      while (block.every((id, i) => ids[from + times * period + i] === id)) times++;
      most = Math.max(most, times);
    }
  }
  return most;
}

function fullOrder(policy: PolicyRecord): string[] {
  const named = policy.order ?? [];
  return [...named, ...[...LIMITS, 'rules'].filter((each) => !named.includes(each))];
}

/** Name of the first limit reached with these counters, and which limits were looked at in vain. */
function ask(
  policy: PolicyRecord,
  counter: (limit: string) => bigint | null,
  streak: (rule: Any) => number,
  blind: Set<string>,
): string | null {
  for (const entry of fullOrder(policy)) {
    if (entry === 'rules') {
      for (const rule of policy.rules ?? []) if (streak(rule) >= (rule.count as number)) return rule.name as string;
      continue;
    }
    const cap = policy.caps[entry];
    if (cap === undefined) continue;
    const used = counter(entry);
    if (used === null) blind.add(entry);
    else if (used >= scaled(cap, SCALES[entry]!)) return entry;
  }
  return null;
}

/** What stops the run before a call of pass k + 1 is made: the reason, the call's number, the steps emitted. */
function askInside(
  passes: Any[],
  k: number,
  policy: PolicyRecord,
): { reason: string; call: number; steps: bigint | null } | null {
  const before = counterAt(passes, k, 'steps');
  for (let call = 1; call <= (passes[k].calls ?? []).length; call++) {
    const steps = before === null ? null : before + 2n * BigInt(call);
    const early = (policy.rules ?? []).filter((rule) => rule.when === 'before_dispatch');
    const inForce =
      policy.steps_at === 'dispatch' && policy.caps.steps !== undefined ? { steps: policy.caps.steps } : {};
    const reason = ask(
      { ...policy, caps: inForce, rules: early },
      () => steps,
      (rule) => ruleCount(rule, passes, k, call),
      new Set(),
    );
    if (reason !== null) return { reason, call, steps };
  }
  return null;
}

function madePasses(run: RunRecord): number | null {
  const kept = (run.passes as Any)?.length ?? null;
  const stated = (run.totals as Any)?.passes ?? null;
  if (kept === null) return stated;
  return stated === null ? kept : Math.max(kept, stated);
}

function complete(run: RunRecord): boolean {
  return run.passes !== null && run.passes !== undefined && madePasses(run) === (run.passes as Any).length;
}

function total(run: RunRecord, limit: string): bigint | null {
  if (limit === 'passes') return madePasses(run) === null ? null : BigInt(madePasses(run)!);
  const passes = run.passes as Any[] | null;
  const summed = passes === null ? null : counterAt(passes, passes.length, limit);
  if (limit === 'steps') return complete(run) ? summed : null;
  const value = (run.totals as Any)?.[limit];
  const stated = known(value) ? scaled(value, SCALES[limit]!) : null;
  if (complete(run)) return summed ?? stated;
  if (stated !== null) return stated;
  return passes !== null && passes.length > 0 ? summed : null;
}

/** Whether a call does not say what the rule looks at. */
function lacks(call: Any, rule: Any): boolean {
  if (rule.rule === 'errors') return !known(call.error);
  if (rule.rule === 'idle') return false;
  return typeof identity(call, rule.rule === 'stale' ? 'result' : (rule.key ?? 'call')) === 'symbol';
}

export interface OracleOutcome {
  id: string;
  status: string;
  reason: string | null;
  afterPasses: number | null;
  end: { [limit: string]: bigint | null };
  perhaps: string[];
  censored: boolean;
  blind: string[];
}

export function oracleRun(run: RunRecord, policy: PolicyRecord): OracleOutcome {
  const passes = (run.passes ?? []) as Any[];
  const blind = new Set<string>();
  let reason: string | null = null;
  let inside: ReturnType<typeof askInside> = null;
  let k = 0;
  for (; k < passes.length; k++) {
    const at = k;
    reason = ask(
      policy,
      (limit) => counterAt(passes, at, limit),
      (rule) => ruleCount(rule, passes, at),
      blind,
    );
    if (reason !== null) break;
    inside = askInside(passes, k, policy);
    if (inside !== null) {
      reason = inside.reason;
      k++;
      break;
    }
  }
  const made = madePasses(run);
  const walked = reason !== null;
  if (
    reason === null &&
    !complete(run) &&
    made !== null &&
    policy.caps.passes !== undefined &&
    made > policy.caps.passes
  ) {
    reason = 'passes';
    k = policy.caps.passes;
  }
  const perhaps: string[] = [];
  for (const limit of LIMITS) {
    const cap = policy.caps[limit];
    if (cap === undefined || (complete(run) && !blind.has(limit))) continue;
    const all = total(run, limit);
    if (all === null) {
      if (made !== 0) blind.add(limit);
      continue;
    }
    blind.delete(limit);
    if (reason === null && limit !== 'passes' && made !== 1 && made !== 0 && all >= scaled(cap, SCALES[limit]!))
      perhaps.push(limit);
  }
  for (const rule of policy.rules ?? []) {
    // The call that was refused is seen by no rule that waits for its result.
    const seen =
      inside !== null && rule.when !== 'before_dispatch'
        ? callsSeen(rule, passes, k - 1, inside.call - 1)
        : callsSeen(rule, passes, walked ? k : passes.length);
    if (reason === rule.name) continue;
    if (seen.some((call) => lacks(call, rule)) || ((run.passes === null || run.passes === undefined) && made !== 0))
      blind.add(rule.name as string);
  }
  const end: { [limit: string]: bigint | null } = {};
  for (const limit of LIMITS) {
    const counted = walked ? counterAt(passes, k, limit) : null;
    end[limit] = reason === null ? total(run, limit) : (counted ?? total(run, limit));
  }
  if (reason !== null) end.passes = BigInt(k);
  if (inside !== null) end.steps = inside.steps ?? total(run, 'steps');
  const atEnd = ask(
    policy,
    (limit) => total(run, limit),
    (rule) => ruleCount(rule, passes, passes.length),
    new Set(),
  );
  return {
    id: run.id,
    status: reason === null ? run.status : 'stopped_budget',
    reason,
    afterPasses: reason === null ? null : k,
    end,
    perhaps,
    censored: reason === null && run.status === 'stopped_budget' && atEnd === null,
    blind: [...blind].sort(),
  };
}

/** The figures of a whole set, for comparison with `simulate`. */
export function oracleFigures(runs: RunRecord[], policy: PolicyRecord): Any {
  const outcomes = runs.map((run) => oracleRun(run, policy));
  const good = (run: RunRecord): boolean => run.check === 'passed' && madePasses(run) !== 0;
  const reasons = [
    ...LIMITS.filter((limit) => policy.caps[limit] !== undefined),
    ...(policy.rules ?? []).map((rule) => rule.name as string),
  ];
  const falseStops = outcomes.filter((outcome, i) => outcome.reason !== null && good(runs[i]!));
  const verified = runs.filter(good).length;
  const middle = (values: number[]): number | null => {
    if (values.length === 0) return null;
    const s = [...values].sort((a, b) => a - b);
    return (s[Math.floor((s.length - 1) / 2)]! + s[Math.ceil((s.length - 1) / 2)]!) / 2;
  };
  const spend = (metric: string): Any => {
    let recorded = 0n;
    let replayed = 0n;
    let count = 0;
    let called = 0;
    for (const [i, run] of runs.entries()) {
      const all = total(run, metric);
      const left = outcomes[i]!.end[metric]!;
      if (all === null || left === null) continue;
      recorded += all;
      replayed += left;
      count++;
      if (metric === 'passes' || madePasses(run) !== 0) called++;
    }
    if (called === 0) return null;
    const unit = 10 ** SCALES[metric]!;
    return {
      recorded: Number(recorded) / unit,
      replayed: Number(replayed) / unit,
      reduction: recorded === 0n ? null : Number(recorded - replayed) / Number(recorded),
      known_runs: count,
    };
  };
  const largest = (metric: string): number | null => {
    const ends = outcomes
      .filter((_, i) => metric === 'passes' || madePasses(runs[i]!) !== 0)
      .map((outcome) => outcome.end[metric])
      .filter((end): end is bigint => end !== null && end !== undefined);
    const [most] = ends.sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
    return most === undefined ? null : Number(most) / 10 ** SCALES[metric]!;
  };
  return {
    runs: runs.length,
    verified,
    verified_finished: verified - falseStops.length,
    passed_unfinished: runs.filter((run) => good(run) && run.status !== 'done_verified').length,
    false_stops: falseStops.map(({ id, reason, afterPasses }) => ({ id, reason, after_passes: afterPasses })),
    by_status: Object.fromEntries(
      ['done_verified', 'done_claimed', 'stopped_budget', 'halted_error', 'running'].map((status) => [
        status,
        outcomes.filter((o) => o.status === status).length,
      ]),
    ),
    by_reason: Object.fromEntries(
      reasons.map((reason) => {
        const stops = outcomes.filter((outcome) => outcome.reason === reason).map((outcome) => outcome.afterPasses!);
        return [reason, { count: stops.length, median_pass: middle(stops) }];
      }),
    ),
    spend: { passes: spend('passes'), tokens: spend('tokens'), seconds: spend('seconds'), usd: spend('usd') },
    max_bill: {
      passes: largest('passes'),
      tokens: largest('tokens'),
      seconds: largest('seconds'),
      usd: largest('usd'),
    },
    censored: outcomes.filter((outcome) => outcome.censored).length,
    not_judged: Object.fromEntries(
      reasons.map((reason) => [reason, outcomes.filter((outcome) => outcome.blind.includes(reason)).length]),
    ),
  };
}
