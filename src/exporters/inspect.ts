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
  write: (policy) => {
    const limits = limitsOf(policy);
    return {
      settings: Object.fromEntries(limits.map(([name, text]) => [name, Number(text)])),
      differs: roundedUp('caps.seconds', policy.caps.seconds),
      code: [
        'from inspect_ai import eval',
        '',
        '# Or for one task: Task(..., **limits); on the command line: --turn-limit, --token-limit, ...',
        ...(policy.caps.usd === undefined
          ? []
          : ['# A cost limit needs prices: set_model_cost() or --model-cost-config.']),
        ...(limits.length === 0 ? ['limits = {}  # No cap: it has none of its own.'] : dictionary(limits)),
        '',
        '',
        'def eval_capped(task, **settings):',
        '    return eval(task, **limits, **settings)',
      ],
    };
  },
};

type Limit = readonly [name: string, text: string];

function dictionary(limits: readonly Limit[]): string[] {
  return ['limits = {', ...limits.map(([name, text]) => `    "${name}": ${text},`), '}'];
}

function limitsOf({ caps }: Policy): Limit[] {
  const limits: Limit[] = [];
  if (caps.passes !== undefined) limits.push(['turn_limit', String(caps.passes)]);
  if (caps.tokens !== undefined) limits.push(['token_limit', String(caps.tokens)]);
  if (caps.seconds !== undefined) limits.push(['time_limit', String(wholeSeconds(caps.seconds))]);
  if (caps.usd !== undefined) limits.push(['cost_limit', decimal('usd', caps.usd)]);
  return limits;
}
