import { isInPopulation, type PopulationOptions } from '../calibrate/population.js';
import type { Run } from '../model/run.js';
import { endPass, openLedger, tellCall } from '../policy/ledger.js';
import { EMPTY_POLICY, exempting, type Policy, type Rule } from '../policy/policy.js';
import { firstReached, firstReachedAtDispatch } from '../policy/stop.js';
import { figuresUnder } from './rules-replay.js';
import type { ExemptionReport, ExemptionStep, RuleFigures } from './rules-result.js';
import { ruleRecords } from './rules-sweep.js';

/** Tools that are looked at one by one; sets of tools that are tried in one step; steps. */
const MOST_CANDIDATES = 20;
const MOST_SETS = 16;
const MOST_STEPS = 20;

/**
 * Which tools the rules should not see. A tool whose repeats end more verified successes than other runs tells nothing
 * of a stuck run: it is meant to poll. Greedy: of the fewest tools that set a stopped success free, those that save
 * most successes, again and again until none is stopped or nothing is gained.
 *
 * @param runs iterated several times: an array or a `RunTable`, not a generator
 */
export function proposeExemptions(
  runs: Iterable<Run>,
  rules: readonly Rule[],
  population: PopulationOptions,
): ExemptionReport {
  const under = (sets: readonly (readonly string[])[]): RuleFigures[] =>
    figuresUnder(
      runs,
      sets.map((tools) => policyOf(rules, tools)),
      population,
    );
  const sets = freeingSets(runs, rules, population);
  const [candidates, more] = candidatesOf(sets);
  const [before, ...alone] = under([[], ...candidates.map(([tool]) => [tool])]) as [RuleFigures, ...RuleFigures[]];
  const steps = stepsFrom(before, sets, (proposed) => freeingSets(runs, exempting(rules, proposed), population), under);
  return {
    rules: ruleRecords(rules),
    before,
    candidates: candidates.map(([tool, successes], i) => ({ tool, successes, alone: alone[i] as RuleFigures })),
    more_candidates: more,
    steps,
    proposed: steps.flatMap(({ tools }) => tools),
    after: steps.at(-1)?.after ?? before,
  };
}

function policyOf(rules: readonly Rule[], tools: readonly string[]): Policy {
  return { ...EMPTY_POLICY, rules: exempting(rules, tools) };
}

/** Sets of tools, each with the number of stopped successes that it sets free. */
type Sets = ReadonlyMap<string, { readonly tools: readonly string[]; readonly successes: number }>;

function freeingSets(runs: Iterable<Run>, rules: readonly Rule[], population: PopulationOptions): Sets {
  const sets = new Map<string, { tools: readonly string[]; successes: number }>();
  for (const run of runs) {
    const tools = isInPopulation(run, population) ? toolsToExempt(run, rules) : null;
    if (tools === null || tools.length === 0) continue;
    const key = JSON.stringify(tools);
    sets.set(key, { tools, successes: (sets.get(key)?.successes ?? 0) + 1 });
  }
  return sets;
}

/** The tools that must be exempt, sorted, for the run not to be stopped; `null` where no exemption helps. */
function toolsToExempt(run: Run, rules: readonly Rule[]): readonly string[] | null {
  const tools: string[] = [];
  for (;;) {
    const trip = firstTrip(run, policyOf(rules, tools));
    if (trip === null) return tools.sort();
    if (trip.tool === null) return null;
    tools.push(trip.tool);
  }
}

/** The tool at whose call the run is stopped, `null` where the stop is by a pass; `null` for no stop. */
function firstTrip(run: Run, policy: Policy): { readonly tool: string | null } | null {
  const ledger = openLedger(policy);
  const passes = run.passes ?? [];
  for (const [index, { calls }] of passes.entries()) {
    const isLast = index + 1 === passes.length;
    for (const call of calls) {
      if (firstReachedAtDispatch(policy, ledger, call, null) !== null) return { tool: call.tool };
      tellCall(ledger, call);
      if (!isLast && firstReached(policy, ledger) !== null) return { tool: call.tool };
    }
    endPass(ledger, calls.length);
    if (!isLast && firstReached(policy, ledger) !== null) return { tool: null };
  }
  return null;
}

/** Single tools with the successes that need them exempt, the most frequent first, and how many are left out. */
function candidatesOf(sets: Sets): [candidates: (readonly [tool: string, successes: number])[], more: number] {
  const counts = new Map<string, number>();
  for (const { tools, successes } of sets.values()) {
    for (const tool of tools) counts.set(tool, (counts.get(tool) ?? 0) + successes);
  }
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return [sorted.slice(0, MOST_CANDIDATES), Math.max(0, sorted.length - MOST_CANDIDATES)];
}

function stepsFrom(
  before: RuleFigures,
  first: Sets,
  setsAfter: (proposed: readonly string[]) => Sets,
  under: (sets: readonly (readonly string[])[]) => RuleFigures[],
): ExemptionStep[] {
  const steps: ExemptionStep[] = [];
  let proposed: readonly string[] = [];
  for (let [now, sets] = [before, first]; sets.size > 0 && steps.length < MOST_STEPS; sets = setsAfter(proposed)) {
    const step = bestStep(now, sets, proposed, under);
    if (step === null) break;
    steps.push(step);
    proposed = [...proposed, ...step.tools];
    now = step.after;
  }
  return steps;
}

/** Smaller sets first, since every exemption blinds the rule a little more. */
function bestStep(
  now: RuleFigures,
  sets: Sets,
  proposed: readonly string[],
  under: (sets: readonly (readonly string[])[]) => RuleFigures[],
): ExemptionStep | null {
  const sizes = new Set([...sets.values()].map(({ tools }) => tools.length));
  for (const size of [...sizes].sort((a, b) => a - b)) {
    const tried = [...sets.values()]
      .filter(({ tools }) => tools.length === size)
      .sort((a, b) => b.successes - a.successes || (String(a.tools) < String(b.tools) ? -1 : 1))
      .slice(0, MOST_SETS);
    const figures = under(tried.map(({ tools }) => [...proposed, ...tools]));
    const gains = tried
      .map(({ tools }, i) => ({ tools, after: figures[i] as RuleFigures }))
      .filter(({ after }) => isGain(now, after))
      .sort((a, b) => a.after.false_stops.count - b.after.false_stops.count || b.after.caught - a.after.caught);
    if (gains[0] !== undefined) return gains[0];
  }
  return null;
}

/** More successes saved than catches lost: the repeats that are exempted were no sign of a stuck run. */
function isGain(before: RuleFigures, after: RuleFigures): boolean {
  const saved = before.false_stops.count - after.false_stops.count;
  return saved > 0 && saved > before.caught - after.caught;
}
