import { decimal, HARD_CUT } from './amounts.js';
import type { Exporter } from './exporter.js';

export const pydanticAi: Exporter = {
  id: 'pydantic-ai',
  title: 'Pydantic AI',
  language: 'python',
  setting: '`UsageLimits(request_limit=)`, 50 where it is left out',
  unit: 'one model request: P',
  checked: { version: 'pydantic-ai 4fda389 of 2026-08-22', how: 'read in its source' },
  billed: 'N',
  billedNote: 'the tools of the last call run too',
  receives: 'UsageLimitExceeded; the messages so far only through capture_run_messages or agent.iter',
  says: {
    caps: {
      passes: 'exactly',
      tokens: {
        differs:
          'fires above the cap, not at it, and also on the answer that crosses it: that answer is billed and lost',
      },
      seconds: HARD_CUT,
      usd: {
        differs: 'fires above the cap, not at it; a model without a price counts as nothing (CostNotFoundWarning)',
      },
    },
    modelCallTimeout: 'exactly',
  },
  quirks: [],
  write: ({ caps, timeouts }) => {
    const seconds = caps.seconds === undefined ? null : decimal('seconds', caps.seconds);
    const callSeconds = timeouts.modelCall === null ? null : decimal('seconds', timeouts.modelCall);
    const usd = caps.usd === undefined ? null : decimal('usd', caps.usd);
    return {
      settings: {
        request_limit: caps.passes ?? null,
        ...(caps.tokens === undefined ? {} : { total_tokens_limit: caps.tokens }),
        ...(usd === null ? {} : { cost_limit: usd }),
        ...(callSeconds === null ? {} : { model_settings: { timeout: Number(callSeconds) } }),
        ...(seconds === null ? {} : { wait_for: Number(seconds) }),
      },
      code: [
        ...(seconds === null ? [] : ['import asyncio']),
        ...(usd === null ? [] : ['from decimal import Decimal']),
        ...(seconds === null && usd === null ? [] : ['']),
        'from pydantic_ai import UsageLimits',
        '',
        'limits = UsageLimits(',
        ...(caps.passes === undefined ? ['    # No cap on passes: None switches the default of 50 off.'] : []),
        `    request_limit=${caps.passes ?? 'None'},`,
        ...(caps.tokens === undefined ? [] : [`    total_tokens_limit=${caps.tokens},`]),
        ...(usd === null ? [] : [`    cost_limit=Decimal("${usd}"),`]),
        ')',
        '',
        '',
        'async def run_capped(agent, task):',
        `    run = agent.run(task, usage_limits=limits${callSeconds === null ? '' : `, model_settings={"timeout": ${callSeconds}}`})`,
        seconds === null ? '    return await run' : `    return await asyncio.wait_for(run, timeout=${seconds})`,
      ],
    };
  },
};
