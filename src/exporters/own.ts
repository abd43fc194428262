import type { Sayings } from './exporter.js';

/** What our own forms say: everything, since they hold the policy and enforce nothing. */
export const SAYS_ALL: Sayings = {
  caps: { passes: 'exactly', tokens: 'exactly', seconds: 'exactly', usd: 'exactly', steps: 'exactly' },
  order: 'any',
  rule: () => 'exactly',
  modelCallTimeout: 'exactly',
  toolTimeout: 'exactly',
  wrapUp: 'as asked',
  haltOn: 'exactly',
  check: 'exactly',
};
