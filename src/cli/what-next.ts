import { readdir, stat } from 'node:fs/promises';
import { escapeTerminal } from '../report/escape.js';
import { textWidth } from '../report/width.js';
import { pad, wrap } from '../report/wrap.js';
import { shellWord } from './command-text.js';
import { EXIT } from './errors.js';
import type { Io } from './io.js';
import { fileBytes, type Opened, openBytes } from './open.js';
import { recognise } from './recognise.js';

/** A file of the current folder that looks like recorded runs. */
interface Candidate {
  readonly name: string;
  readonly format: string;
}

const WHAT = 'capfit fits stop caps to recorded agent runs: when should the loop stop?';
/** Other names are not looked into. */
const ENDINGS = /\.(jsonl|ndjson|json|csv|parquet|eval|traj)(\.(gz|zst))?$/i;
/** More are not opened for a hint. */
const MOST_OPENED = 20;
/** More names are not told. */
const MOST_NAMED = 3;
const POLICY_ENDINGS = /\.(ya?ml|json)$/i;
/** The line or the key that every policy file has. */
const POLICY_MARK = /^\s*\{?\s*"?capfit"?\s*:\s*["']?policy\/v1\b/m;

/**
 * `capfit` alone: what to do next, from the files that lie here. A script that forgot the command is not to go on, so
 * the exit code is that of wrong usage, and nothing is written to standard output.
 */
export async function tellWhatNext(io: Io): Promise<number> {
  const names = await namesIn('.');
  const found = await runsAmong(names);
  const policy = await policyAmong(names);
  const runs = argument(found[0]?.name ?? 'runs.jsonl');
  const lead =
    found.length === 0
      ? 'No recorded runs in this folder. With those of the worked example:'
      : `In this folder: ${named(found)}${policy === null ? '' : `, and the policy ${escapeTerminal(policy, 60)}`}.`;
  const steps: readonly Step[] = [
    ...(found.length === 0 ? [['capfit generate -o runs.jsonl', '400 synthetic runs'] as const] : []),
    [`capfit calibrate ${runs}`, 'caps and stop-policy card'],
    ...(policy === null ? [] : policySteps(runs, argument(policy))),
    [`capfit report ${runs} -o report.html`, 'a page to try caps on'],
    [`capfit audit ${runs}`, 'what the records can support'],
    ['capfit --help', 'all commands'],
  ];
  const column = Math.max(...steps.map(([command]) => textWidth(escapeTerminal(command))));
  const lines = steps.map(([command, about]) => {
    const shown = `  $ ${escapeTerminal(command)}`;
    const line = `${pad(shown, column + 4, 'left')}  ${about}`;
    return textWidth(line) <= io.columns ? line : shown;
  });
  const said = [...wrap(WHAT, io.columns), '', ...wrap(lead, io.columns), '', ...lines];
  io.err(`${said.join('\n')}\n`);
  return EXIT.usage;
}

type Step = readonly [command: string, about: string];

/** A name that begins with a dash would be taken for a flag. */
function argument(name: string): string {
  return shellWord(name.replace(/^(?=-)/, './'));
}

function policySteps(runs: string, policy: string): Step[] {
  return [
    [`capfit check ${runs} --policy ${policy}`, 'do these runs still fit the policy?'],
    [`capfit replay ${runs} --policy ${policy}`, 'what the policy would have done'],
    [`capfit whatif ${runs} --policy ${policy} --scale 0.8`, 'the policy beside tighter caps'],
  ];
}

function named(found: readonly Candidate[]): string {
  const shown = found.slice(0, MOST_NAMED).map(({ name, format }) => `${escapeTerminal(name, 60)} (${format})`);
  return found.length > MOST_NAMED ? `${shown.join(', ')} and more` : shown.join(', ');
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

/** The first policy file. */
async function policyAmong(names: readonly string[]): Promise<string | null> {
  for (const name of names.filter((each) => POLICY_ENDINGS.test(each)).slice(0, MOST_OPENED)) {
    const head = await headOf(name).catch(() => null);
    if (head !== null && POLICY_MARK.test(Buffer.from(head).toString('utf8'))) return name;
  }
  return null;
}

async function runsAmong(names: readonly string[]): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const name of names.filter((each) => ENDINGS.test(each)).slice(0, MOST_OPENED)) {
    const format = await formatOf(name);
    if (format !== null) found.push({ name, format });
  }
  return found;
}

/** The format whose content the file has, or `null`: what cannot be read is no hint. */
async function formatOf(path: string): Promise<string | null> {
  try {
    const head = await headOf(path);
    return head === null ? null : ((await recognise({ path, named: false }, null, null, head))?.format.id ?? null);
  } catch {
    return null;
  }
}

/** How a file begins, unpacked; `null` where it is empty. */
async function headOf(path: string): Promise<Opened['head'] | null> {
  if ((await stat(path)).size === 0) return null;
  const { head, bytes } = await openBytes(fileBytes(path));
  await bytes[Symbol.asyncIterator]().return?.();
  return head;
}
