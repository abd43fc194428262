import { stringifyJson } from '../model/json.js';
import { policyRecord } from '../policy/record.js';
import type { Exporter } from './exporter.js';
import { SAYS_ALL } from './own.js';

export const json: Exporter = {
  id: 'json',
  title: 'plain JSON, a policy file',
  language: 'json',
  setting: '`caps.passes`, no limit where it is left out',
  unit: 'one model call with its tools: P',
  checked: { version: 'policy/v1', how: 'our own form, read back by a test' },
  billed: 'N',
  billedNote: 'where your loop asks before every model call, as capfit/guard does',
  receives: 'what your loop hands over',
  says: SAYS_ALL,
  quirks: [],
  write: (policy) => ({ settings: policyRecord(policy), code: stringifyJson(policyRecord(policy), 2).split('\n') }),
};
