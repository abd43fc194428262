import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXPORTERS } from '../../src/exporters/index.js';
import { readPolicy } from '../../src/formats/policy/policy-file.js';
import { OWN_FORM, policyText } from '../../src/page/policy-text.js';
import type { PolicyRecord } from '../../src/policy/policy-record.js';
import { policyRecord } from '../../src/policy/record.js';
import { policyRecords } from '../arbitraries.js';
import { policy } from '../builders.js';
import { HOSTILE_NAMES, UNSAFE_OUTPUT } from '../report/fixtures.js';

const recordOf = (fields: object): PolicyRecord => policyRecord(policy(fields)) as unknown as PolicyRecord;

/** Without half a character, which no file can hold. */
const isWhole = (text: string): boolean => !/\p{Cs}/u.test(text);

describe('the policy as text', () => {
  test('is a policy file that reads back as the same policy', () => {
    fc.assert(
      fc.property(
        policyRecords,
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE_NAMES)),
        (fields, name) => {
          // A name of nothing is no name.
          const named = policy({ ...fields, ...(isWhole(name) && name.trim() !== '' ? { name } : {}) });
          const text = policyText(policyRecord(named) as unknown as PolicyRecord, OWN_FORM);
          const read = readPolicy(text, 'policy.yaml').policy;
          expect(read === null ? null : policyRecord(read)).toEqual(policyRecord(named));
        },
      ),
    );
  });

  test.each([OWN_FORM, ...EXPORTERS.map(({ id }) => id)])('shows strange names as they are written, as %s', (form) => {
    for (const name of HOSTILE_NAMES.filter(isWhole)) {
      const fields = { name: `x${name}`, caps: { passes: 3 }, rules: [{ rule: 'repeat', name: `y${name}`, count: 3 }] };
      expect(policyText(recordOf(fields), form)).not.toMatch(UNSAFE_OUTPUT);
    }
  });

  test('is short', () => {
    expect(policyText(recordOf({ caps: { passes: 26, seconds: 1.5 } }), OWN_FORM)).toBe(
      'capfit: policy/v1\ncaps:\n  passes: 26\n  seconds: 1.5\norder:\n  - passes\n  - seconds\nrules: []\nwrap_up: false\n',
    );
  });
});
