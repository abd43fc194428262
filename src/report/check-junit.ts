import type { CheckFinding, CheckReport, Judgement } from '../replay/check-result.js';
import { checkVerdict } from './check-blocks.js';
import { escapeTerminal } from './escape.js';

/** The check as a JUnit report: a test case for each question, a failure for each that an error was found in. */
export function checkJunit(check: CheckReport): string {
  const cases = check.checks.map((judgement) => testCase(judgement, findingsOf(check, judgement)));
  const failures = check.checks.filter(({ outcome }) => outcome === 'failed').length;
  const skipped = check.checks.filter(isSkipped).length;
  const counts = `tests="${check.checks.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="capfit" ${counts}>`,
    `  <testsuite name="capfit check" ${counts}>`,
    ...cases,
    `    <system-out>${xml(`${checkVerdict(check)} ${check.runs} runs, ${check.verified} verified.`)}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function findingsOf({ findings }: CheckReport, { code }: Judgement): readonly CheckFinding[] {
  return findings.filter((finding) => finding.check === code);
}

function isSkipped({ outcome }: Judgement): boolean {
  return outcome === 'off' || outcome === 'not judged';
}

function testCase(judgement: Judgement, findings: readonly CheckFinding[]): string {
  const { title, figure, bound, outcome } = judgement;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const others = findings.filter(({ severity }) => severity !== 'error');
  const failures = errors.map(
    ({ code, message, hint }) =>
      `      <failure type="${xml(code)}" message="${xml(message)}">${xml(`${message} -> ${hint}`)}</failure>`,
  );
  const output = [
    `${figure}; bound: ${bound}`,
    ...others.map((each) => `${each.severity}: ${each.message} -> ${each.hint}`),
  ];
  return [
    `    <testcase classname="capfit.check" name="${xml(title)}" time="0">`,
    ...(isSkipped(judgement) ? [`      <skipped message="${xml(outcome)}"/>`] : []),
    ...failures,
    `      <system-out>${output.map(xml).join('\n')}</system-out>`,
    '    </testcase>',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text in an element or an attribute. Controls are written out; what XML has no way to hold becomes U+FFFD. */
function xml(text: string): string {
  return escapeTerminal(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
