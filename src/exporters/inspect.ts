import type { Json } from '../model/json.js';
import type { Policy } from '../policy/policy.js';
import { decimal, roundedUp, wholeSeconds } from './amounts.js';
import type { Exporter } from './exporter.js';

export const inspect: Exporter = {
  id: 'inspect',
  title: 'Inspect',
  language: 'python',
  setting: '`turn_limit`, none where it is left out',
  unit: 'one generation at the top level, after its retries: P',
  checked: { version: 'inspect_ai 499e615 of 2026-08-22', how: 'read in its source' },
  billed: 'N + 1',
  billedNote:
    'asked after the generation, and fires above the cap (its documentation says N); with N - 1 the work of call N is lost',
  receives:
    'LimitExceededError ends the sample, which is scored all the same; the limit is kept in sample.limit of the log',
  says: {
    caps: {
      passes: { differs: 'asked after the generation, and fires above the cap: one more call is paid' },
      tokens: { differs: 'asked after the generation, and fires above the cap: the answer that crosses it is cut' },
      seconds: { differs: 'a hard cut in the middle of a call, not before the next one' },
      usd: { differs: 'fires above the cap, after the call; an error where a model has no price' },
    },
  },
  quirks: ['basic_agent stops at 50 messages where no limit is given'],
  write: (policy) => ({
    settings: limits(policy),
    differs: roundedUp('caps.seconds', policy.caps.seconds),
    code: [
      'from inspect_ai import eval',
      '',
      '# Or for one task: Task(..., **limits); on the command line: --turn-limit, --token-limit, ...',
      ...(policy.caps.usd === undefined
        ? []
        : ['# A cost limit needs prices: set_model_cost() or --model-cost-config.']),
      'limits = {',
      ...Object.entries(limits(policy)).map(
        ([name, value]) => `    "${name}": ${name === 'cost_limit' ? decimal('usd', policy.caps.usd ?? 0) : value},`,
      ),
      '}',
      '',
      '',
      'def eval_capped(task, **settings):',
      '    return eval(task, **limits, **settings)',
    ],
  }),
};

function limits({ caps }: Policy): { [name: string]: Json } {
  return {
    ...(caps.passes === undefined ? {} : { turn_limit: caps.passes }),
    ...(caps.tokens === undefined ? {} : { token_limit: caps.tokens }),
    ...(caps.seconds === undefined ? {} : { time_limit: wholeSeconds(caps.seconds) }),
    ...(caps.usd === undefined ? {} : { cost_limit: Number(decimal('usd', caps.usd)) }),
  };
}
