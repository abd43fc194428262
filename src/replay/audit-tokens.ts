import { plural } from '../model/words.js';
import { type AuditCheck, checkEach, outOf, type RunFault } from './audit-check.js';
import type { AuditRow } from './audit-rows.js';

/** From this many passes on, a prompt that resends the history cannot be this small. */
const MANY_PASSES = 5;
const FEWEST_TOKENS_A_PASS = 20;
const FEWEST_INPUT_A_PASS = 10;

const TOKEN_FAULTS: readonly RunFault[] = [
  {
    code: 'last_message_tokens',
    severity: 'wrong',
    among: (row) => (row.passes ?? 0) >= MANY_PASSES && row.tokens !== null,
    isFault: isLastMessageOnly,
    message: (count, among) =>
      `too few tokens for their passes (below ${FEWEST_TOKENS_A_PASS} a pass, or below ${FEWEST_INPUT_A_PASS} of prompt): ${outOf(count, among)} of ${MANY_PASSES} passes or more`,
    hint: 'the figure looks like that of the last message, or leaves cached tokens out: derive no cap on tokens from it',
  },
  {
    code: 'cache_outside_input',
    severity: 'wrong',
    among: (row) => row.cachePasses > 0,
    isFault: (row) => row.cacheOutside > 0,
    message: (count, among) =>
      `passes with more cached tokens than prompt tokens: in ${outOf(count, among)} that tell cached tokens`,
    hint: 'the source counts cached tokens beside the prompt: add them to input_tokens, of which they are parts',
  },
  {
    code: 'zero_cost',
    severity: 'doubtful',
    among: (row) => row.usd !== null && (row.tokens ?? row.passes ?? 0) > 0,
    isFault: (row) => row.usd === 0,
    message: (count, among) => `a cost of $0: ${outOf(count, among)} with a cost`,
    hint: 'a model without a known price is often recorded as free: leave the cost out, or a cap on usd never fires',
  },
  {
    code: 'totals_conflict',
    severity: 'doubtful',
    isFault: (row) => row.conflict !== null || row.isTotalOff === 1,
    message: (count) =>
      `${plural(count, 'run')} whose recorded total of tokens or dollars is not what the passes come to`,
    hint: 'a roll-up that counts twice, sub-agents, or calls that left no pass: the passes are counted, the total is not',
  },
  {
    code: 'subagents_missing',
    severity: 'doubtful',
    isFault: (row) => (row.subagentsMissing ?? 0) > 0,
    message: (count) => `${plural(count, 'run')} started sub-agents whose recordings are not at hand`,
    hint: 'their spend is in no figure, so that totals are too low or unknown: put the recordings of the sub-agents beside those that started them',
  },
  {
    code: 'unfinished_messages',
    severity: 'doubtful',
    isFault: (row) => (row.unfinishedMessages ?? 0) > 0,
    message: (count) => `${plural(count, 'run')} with streamed messages whose final usage was never written`,
    hint: 'the output tokens of such a message are the placeholder its stream began with: tokens are too low, and a cap on them too tight',
  },
];

function isLastMessageOnly(row: AuditRow): boolean {
  const passes = row.passes ?? 0;
  const few = row.tokens !== null && row.tokens < FEWEST_TOKENS_A_PASS * passes;
  return few || (row.inputTokens !== null && row.kept === passes && row.inputTokens < FEWEST_INPUT_A_PASS * passes);
}

/** All checks of tokens and money. */
export function tokenChecks(): AuditCheck[] {
  return TOKEN_FAULTS.map(checkEach);
}
