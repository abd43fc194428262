import type { Policy, RepeatRule, Rule } from '../policy/policy.js';
import { decimal, NEVER_REACHED } from './amounts.js';
import type { Exporter } from './exporter.js';

export const openhands: Exporter = {
  id: 'openhands',
  title: 'the OpenHands SDK',
  language: 'python',
  setting: '`max_iteration_per_run`, 500 where it is left out (OpenHands V0: `max_iterations`, 500)',
  unit: 'one iteration, a model call with its tools: P',
  checked: { version: 'software-agent-sdk 611629e of 2026-08-22', how: 'read in its source' },
  billed: 'N',
  billedNote: 'a run that finishes in its last iteration keeps FINISHED',
  receives: 'status ERROR and a ConversationErrorEvent with code "MaxIterationsReached"',
  says: {
    caps: {
      passes: 'exactly',
      usd: { differs: 'asked after an iteration, over all models of the run; its own cost figures' },
    },
    rule: (rule) =>
      isDetected(rule)
        ? { differs: 'its stuck detector compares the thought as well, and looks at the last 20 events' }
        : null,
  },
  quirks: ['the other patterns of its stuck detector stay on: errors, monologues, A,B,A,B'],
  write: (policy) => {
    const limit = policy.caps.passes ?? NEVER_REACHED;
    const usd = policy.caps.usd === undefined ? null : decimal('usd', policy.caps.usd);
    const repeat = detected(policy);
    return {
      settings: {
        max_iteration_per_run: limit,
        ...(usd === null ? {} : { max_budget_per_run: Number(usd) }),
        ...(repeat === null ? {} : { stuck_detection_thresholds: { action_observation: repeat.count } }),
      },
      code: [
        'from openhands.sdk.conversation.impl.local_conversation import LocalConversation',
        '',
        '',
        'def capped_conversation(agent, workspace):',
        '    return LocalConversation(',
        '        agent=agent,',
        '        workspace=workspace,',
        ...(policy.caps.passes === undefined
          ? ['        # No cap on passes: the default of 500 has no off, so this is a number that no run reaches.']
          : []),
        `        max_iteration_per_run=${limit},`,
        ...(usd === null ? [] : [`        max_budget_per_run=${usd},`]),
        ...(repeat === null ? [] : [`        stuck_detection_thresholds={"action_observation": ${repeat.count}},`]),
        '    )',
      ],
    };
  },
};

/** Events its detector looks back at; a pair of action and observation is two of them. */
const LOOKS_BACK = 20;

/** Its pattern of identical pairs of action and observation is a plain `repeat` of calls. */
function isDetected(rule: Rule): rule is RepeatRule {
  return (
    rule.rule === 'repeat' &&
    rule.key === 'call' &&
    rule.scope === 'consecutive' &&
    rule.period === 1 &&
    rule.exempt.length === 0 &&
    2 * rule.count <= LOOKS_BACK
  );
}

/** Of several such rules the smallest count is the one that fires. */
function detected({ rules }: Policy): RepeatRule | null {
  const found = rules.filter(isDetected).sort((one, other) => one.count - other.count);
  return found[0] ?? null;
}
