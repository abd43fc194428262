import { describe, expect, test } from 'vitest';
import type { CheckFinding, CheckReport } from '../../src/replay/check-result.js';
import { checkBlocks } from '../../src/report/check-blocks.js';
import { checkGithub } from '../../src/report/check-github.js';
import { checkJunit } from '../../src/report/check-junit.js';
import { renderText } from '../../src/report/render-text.js';

const finding = (own: Partial<CheckFinding>): CheckFinding => ({
  code: 'label_changed',
  check: 'label_changed',
  severity: 'error',
  message: 'model has changed',
  value: 1,
  bound: 0,
  hint: 'calibrate again',
  ...own,
});

const HOSTILE = 'a<b>&"\'\u0000\u001b[31m 50%\r\n::error::x, y: z\ufffe\ud800';

const REPORT: CheckReport = {
  schema: 'capfit/check@1',
  passed: false,
  population: 'verified',
  runs: 4,
  verified: 3,
  findings: [
    finding({ message: HOSTILE }),
    finding({ severity: 'warning' }),
    finding({ severity: 'note', check: 'drift', code: 'x' }),
  ],
  checks: [
    {
      code: 'label_changed',
      title: 'model and prompt',
      figure: 'compared: model',
      bound: 'no new value',
      outcome: 'failed',
    },
    { code: 'stopped', title: 'stopped_budget', figure: '1 of 4', bound: 'none', outcome: 'off' },
    { code: 'drift', title: 'drift', figure: '0 of 3', bound: '5 %', outcome: 'passed' },
  ],
  figures: {
    false_stops: { count: 0, judged: 3, rate: 0, lower95: 0, upper95: 0.6, not_judged: 0 },
    stopped: { count: 1, share: 0.25 },
    unverified_spend_share: null,
    over_cap: 0,
    by_status: { done_verified: 3, done_claimed: 0, stopped_budget: 1, halted_error: 0, running: 0 },
    halted_by_reason: {},
    card_age_days: null,
  },
  alarm_rate: 0.05,
  drift: [],
};

describe('check', () => {
  test('as text: every check, and a line for each finding', () => {
    const text = renderText(checkBlocks({ ...REPORT, findings: REPORT.findings.slice(1) }), {
      width: 80,
      color: false,
    });
    expect(`${text}\n`).toBe(`── Check ───────────────────────────────────────────────────────────────────────
4 runs, 3 verified successes (75.0 %).

Failed: 1 warning.

model and prompt  failed: compared: model; bound: no new value
stopped_budget    off: 1 of 4
drift             passed: 0 of 3; bound: 5 %

── Findings ────────────────────────────────────────────────────────────────────
- warning: model has changed (label_changed)
  -> calibrate again
- note: model has changed (x)
  -> calibrate again
`);
  });

  test('as workflow commands: one line each, nothing ends a line, a property or the escape early', () => {
    expect(checkGithub(REPORT, 'a,b:c%\n.yaml')).toBe(
      [
        '::error file=a%2Cb%3Ac%25\\n.yaml,title=capfit label_changed::a<b>&"\'\\x00\\x1b[31m 50%25\\r\\n::error::x, y: z\ufffe\\ud800 -> calibrate again',
        '::warning file=a%2Cb%3Ac%25\\n.yaml,title=capfit label_changed::model has changed -> calibrate again',
        '::notice file=a%2Cb%3Ac%25\\n.yaml,title=capfit x::model has changed -> calibrate again',
        'Failed: 1 error, 1 warning.',
        '',
      ].join('\n'),
    );
  });

  test('as JUnit: a case a check, a failure for its errors, nothing that XML cannot hold', () => {
    const xml = checkJunit(REPORT);
    const message = 'a&lt;b&gt;&amp;&quot;&apos;\\x00\\x1b[31m 50%\\r\\n::error::x, y: z\ufffd\\ud800';
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="capfit" tests="3" failures="1" errors="0" skipped="1">
  <testsuite name="capfit check" tests="3" failures="1" errors="0" skipped="1">
    <testcase classname="capfit.check" name="model and prompt" time="0">
      <failure type="label_changed" message="${message}">${message} -&gt; calibrate again</failure>
      <system-out>compared: model; bound: no new value
warning: model has changed -&gt; calibrate again</system-out>
    </testcase>
    <testcase classname="capfit.check" name="stopped_budget" time="0">
      <skipped message="off"/>
      <system-out>1 of 4; bound: none</system-out>
    </testcase>
    <testcase classname="capfit.check" name="drift" time="0">
      <system-out>0 of 3; bound: 5 %
note: model has changed -&gt; calibrate again</system-out>
    </testcase>
    <system-out>Failed: 1 error, 1 warning. 4 runs, 3 verified.</system-out>
  </testsuite>
</testsuites>
`);
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  });
});
