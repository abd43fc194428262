import type { CheckFinding, CheckReport } from '../replay/check-result.js';
import { checkVerdict } from './check-blocks.js';
import { escapeTerminal } from './escape.js';

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/**
 * The findings as workflow commands of GitHub Actions, which become annotations, and the verdict as plain text.
 *
 * @param file the policy file as the user named it, which the annotations point at
 */
export function checkGithub(check: CheckReport, file: string): string {
  return `${[...check.findings.map((finding) => command(finding, file)), checkVerdict(check)].join('\n')}\n`;
}

function command({ severity, code, message, hint }: CheckFinding, file: string): string {
  const properties = `file=${property(file)},title=${property(`capfit ${code}`)}`;
  return `::${COMMANDS[severity]} ${properties}::${data(`${message} -> ${hint}`)}`;
}

/** The text of a command: nothing in it ends the line. */
function data(text: string): string {
  return escapeTerminal(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A property of a command: nothing in it ends the property either. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
