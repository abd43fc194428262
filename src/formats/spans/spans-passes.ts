import { addDecimals } from '../../model/decimal.js';
import type { Json } from '../../model/json.js';
import type { SubagentMode } from '../format.js';
import type { Span, Usage } from './span.js';
import { listOf, modelCalls, type Node, tokensOf, unopened, usageOf, usdOf } from './spans-tree.js';

/** A pass being counted: one model call of the agent, and what it set off. */
export interface Pass {
  readonly leaf: Node;
  /** Where the pass begins: its first attempt; microseconds, `null` when no clock was recorded. */
  readonly start: number | null;
  /** What was used and paid, sub-agents included where they are folded in. */
  usage: Usage | null;
  usd: number | null;
  readonly tools: Node[];
}

/** The part of a trace that is one run. */
export interface Scope {
  readonly nodes: readonly Node[];
  readonly passes: readonly Pass[];
  /** Model calls of sub-agents, by the tool or guard span that set them off. */
  readonly subagents: ReadonlyMap<Node, readonly Node[]>;
}

/** The passes among some nodes of a trace, with the spend of sub-agents where it is to be folded in. */
export function scopeOf(nodes: readonly Node[], mode: SubagentMode): Scope {
  const leaves = modelCalls(nodes);
  const level = leaves.reduce((least, leaf) => Math.min(least, leaf.depth), Number.POSITIVE_INFINITY);
  const passes = passesOf(inOrder(leaves.filter((leaf) => leaf.depth === level)));
  const subagents = new Map<Node, Node[]>();
  const inside = [...leaves.filter((leaf) => leaf.depth > level), ...unopened(nodes, level)];
  for (const node of inside) listOf(subagents, callAt(node, level)).push(node);
  const passOf = passFinder(passes);
  for (const tool of inOrder(nodes.filter((node) => node.span.kind === 'tool' && !node.judged))) {
    if (tool.depth === level) passOf(tool)?.tools.push(tool);
  }
  if (mode === 'fold') for (const [starter, spent] of subagents) addSpend(passOf(starter) ?? passes[0], spent);
  return { nodes, passes, subagents };
}

/** Nodes by start, those without a start beside the node before them in the file. */
function inOrder(nodes: readonly Node[]): Node[] {
  let last = Number.NEGATIVE_INFINITY;
  const timed = [...nodes]
    .sort((a, b) => a.order - b.order)
    .map((node) => {
      last = node.span.start ?? last;
      return { node, start: last };
    });
  return timed.sort((a, b) => (a.start === b.start ? 0 : a.start - b.start)).map(({ node }) => node);
}

/** The call of a level that a node is, or is inside of. */
function callAt(node: Node, level: number): Node {
  let call = node;
  while (call.depth > level && call.caller !== null) call = call.caller;
  return call;
}

/** One pass for each model call; attempts that failed without being metered only move the start of the next one. */
function passesOf(leaves: readonly Node[]): Pass[] {
  const passes: Pass[] = [];
  let firstAttempt: number | null = null;
  for (const leaf of leaves) {
    const usage = usageOf(leaf);
    const usd = usdOf(leaf);
    const start: number | null = firstAttempt ?? leaf.span.start;
    if (leaf.span.failed === true && usage === null && usd === null) {
      firstAttempt = start;
    } else {
      passes.push({ leaf, start, usage, usd, tools: [] });
      firstAttempt = null;
    }
  }
  return passes;
}

/** Finds the pass that set off a tool span: the model call that holds it, else the last one that had started by then. */
function passFinder(passes: readonly Pass[]): (tool: Node) => Pass | undefined {
  const byLeaf = new Map(passes.map((pass) => [pass.leaf, pass]));
  return (tool) => (tool.holder === null ? undefined : byLeaf.get(tool.holder)) ?? passAt(passes, tool.span.start);
}

/** The last pass that had started by then; the last of all when no clock was recorded. */
function passAt(passes: readonly Pass[], moment: number | null): Pass | undefined {
  if (moment === null) return passes.at(-1);
  let low = 0;
  let high = passes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((passes[middle]?.start ?? Number.NEGATIVE_INFINITY) <= moment) low = middle + 1;
    else high = middle;
  }
  return passes[low - 1];
}

function addSpend(pass: Pass | undefined, spent: readonly Node[]): void {
  if (pass === undefined) return;
  for (const { usage, usd } of passesOf(spent)) {
    pass.usage = sumOf(pass.usage, usage);
    pass.usd = pass.usd === null || usd === null ? null : addDecimals(pass.usd, usd);
  }
}

function sumOf(a: Usage | null, b: Usage | null): Usage {
  const sum = (key: keyof Usage): number | null => {
    const [x, y] = [a?.[key] ?? null, b?.[key] ?? null];
    return x === null || y === null ? null : x + y;
  };
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
  };
}

/** The tool calls of a pass as records; where a trace has no tool spans, those that the model asked for. */
export function callsOf(pass: Pass, answers: ReadonlyMap<string, Json> | null): Json {
  if (answers === null) return pass.tools.map((tool) => callOfSpan(tool.span));
  return pass.leaf.span.requests.map(({ id, tool, args, result }) => ({
    tool,
    ...known('args', args),
    ...known('result', result ?? (id === null ? undefined : answers.get(id))),
  }));
}

function callOfSpan(span: Span): { [key: string]: Json } {
  return {
    tool: span.tool ?? (span.name === '' ? 'unnamed tool' : span.name),
    ...known('args', span.args),
    ...known('result', span.result),
    error: span.failed,
  };
}

function known(key: string, value: Json | undefined): { [key: string]: Json } {
  return value === undefined ? {} : { [key]: value };
}

/** The results that prompts tell, by the id of the call; `null` where the trace has tool spans of its own. */
export function answersIn(scope: Scope): ReadonlyMap<string, Json> | null {
  if (scope.nodes.some((node) => node.span.kind === 'tool')) return null;
  const answers = new Map<string, Json>();
  for (const { leaf } of scope.passes) for (const { id, result } of leaf.span.answers) answers.set(id, result);
  return answers;
}

/**
 * All tokens of a scope from the roll-ups around its model calls, where the calls do not give them themselves; `null`
 * when a call is inside none, and with sub-agents: some recorders count their spend in, some do not.
 */
export function tokensOfRollUps(scope: Scope): number | null {
  if (scope.subagents.size > 0) return null;
  const calls = scope.passes.map((pass) => pass.leaf);
  const meters = new Set(calls.length > 0 ? calls.map((leaf) => leaf.metered) : metersIn(scope.nodes));
  let sum: number | null = null;
  for (const meter of meters) {
    const tokens = meter === null ? null : tokensOf(meter.span.usage);
    if (tokens === null) return null;
    sum = (sum ?? 0) + tokens;
  }
  return sum;
}

function metersIn(nodes: readonly Node[]): (Node | null)[] {
  return nodes.filter((node) => node.metered === node && !node.judged);
}
