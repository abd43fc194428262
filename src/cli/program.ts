import { type Argument, Command, InvalidArgumentError, Option } from 'commander';
import { escapeTerminal } from '../report/escape.js';
import type { Act } from './action.js';
import { choiceSentence } from './choice.js';
import { addCheck, addDrift, addMetrics } from './commands/check-flags.js';
import { completionCommand } from './commands/completion-flags.js';
import { addConvert, addGenerate } from './commands/convert-flags.js';
import { addDrill } from './commands/drill-flags.js';
import { addExport } from './commands/export-flags.js';
import { addPlan } from './commands/plan-flags.js';
import { addReport } from './commands/report-flags.js';
import { addRules } from './commands/rules-flags.js';
import { addSweep } from './commands/sweep-flags.js';
import { addWhatIf } from './commands/whatif-flags.js';
import {
  collect,
  withCluster,
  withDeriving,
  withEngine,
  withExplain,
  withJoint,
  withPolicyWords,
  withPopulation,
  withReading,
  withReport,
} from './flags.js';
import type { Io } from './io.js';
import type { RawOptions } from './options.js';
import { version } from './version.js';

const EXAMPLE = 'datasets/worked-example/runs.jsonl';

/** What adds each command, in the order of the help. */
const COMMANDS: ReadonlyMap<string, (program: Command, act: Act) => void> = new Map([
  ['calibrate', addCalibrate],
  ['derive', addDerive],
  ['replay', addReplay],
  ['whatif', addWhatIf],
  ['sweep', addSweep],
  ['rules', addRules],
  ['plan', addPlan],
  ['audit', addAudit],
  ['check', addCheck],
  ['drift', addDrift],
  ['metrics', addMetrics],
  ['card', addCard],
  ['report', addReport],
  ['export', addExport],
  ['convert', addConvert],
  ['generate', addGenerate],
  ['drill', addDrill],
]);

/**
 * Commands and flags, and nothing else; each command's code is loaded when it is called.
 *
 * @param first the first word that was typed: where it names a command, the others are left out, which help, completion
 *   and the nearest name to a mistyped one need. To make them all takes 6 ms.
 */
export function buildProgram(io: Io, exit: (code: number) => void, first: string | null = null): Command {
  const program = new Command('capfit')
    .description('Fits stop caps to recorded agent runs: percentiles of verified successes, replay, stop-policy cards.')
    .version(version(), '-V, --version')
    .helpCommand('help [command]')
    .showSuggestionAfterError()
    .configureHelp({ helpWidth: io.columns });
  const act: Act = (command, load) => {
    command.action(async (...typed: unknown[]) => {
      const runs = command.registeredArguments.length > 0 ? [typed[0] as string | string[]].flat() : [];
      const action = await load();
      exit(await action(runs, command.opts<RawOptions>(), asAsked(io, command.opts<RawOptions>())));
    });
  };
  const named = COMMANDS.get(first ?? '');
  if (named !== undefined) named(program, act);
  else {
    for (const add of COMMANDS.values()) add(program, act);
    act(completionCommand(program), async () => (await import('./commands/completion.js')).completing(program));
  }
  program.addHelpText(
    'after',
    `\nStart here:\n  $ capfit calibrate ${EXAMPLE}\n  $ capfit calibrate my-runs/ --out policy/\n`,
  );
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .configureOutput({ writeOut: (text) => void io.out(text), writeErr: (text) => io.err(escapeLines(text)) });
    for (const each of [...command.options, ...command.registeredArguments]) withNearestChoice(each);
  }
  return program;
}

function addCalibrate(program: Command, act: Act): void {
  const command = program
    .command('calibrate <runs...>')
    .summary('the main job: percentiles, caps, replay, diagnosis and card')
    .description(
      'Reads recorded runs, derives caps from the verified successes, replays every run under them, and prints percentiles, caps, the ladder, the diagnosis and the stop-policy card.',
    );
  withReading(command);
  withDeriving(command);
  withJoint(command);
  withCluster(command);
  withExplain(command);
  withPolicyWords(command);
  command
    .option(
      '--preset <name>',
      'the rules and the order of this preset instead of one repeat rule, see capfit rules --list',
    )
    .option('--out <dir>', 'also write policy.yaml, card.md, replay.json and report.html there');
  withReport(command, `capfit calibrate ${EXAMPLE}`, 'capfit calibrate runs/ --where task_type=refund --out policy/');
  act(command, async () => (await import('./commands/calibrate.js')).calibrateCommand);
}

function addDerive(program: Command, act: Act): void {
  const command = program.command('derive <runs...>').description('Percentiles and caps only.');
  withReading(command);
  withDeriving(command);
  withJoint(command);
  command.option('--cross-validate', 'the false-stop rate of the caps on runs that they were not taken from');
  withCluster(command);
  withExplain(command);
  withEngine(command);
  withReport(
    command,
    `capfit derive ${EXAMPLE} --false-stop 5% --padding 1.5`,
    `capfit derive ${EXAMPLE} --padding 1 --cross-validate`,
  );
  act(command, async () => (await import('./commands/derive.js')).deriveCommand);
}

function addReplay(program: Command, act: Act): void {
  const command = program
    .command('replay <runs...>')
    .description('What a policy would have done to every recorded run.')
    .option('--policy <file>', 'the policy file, YAML or JSON')
    .option('--preset <name>', 'a published policy instead, see capfit rules --list')
    .option('--exempt <tool>', 'a tool that no rule of the preset sees; repeatable', collect);
  withReading(command);
  withPopulation(command);
  withEngine(command);
  withReport(
    command,
    `capfit replay ${EXAMPLE} --policy reports/worked-example/policy.yaml --by kind`,
    `capfit replay ${EXAMPLE} --preset four-guards`,
  );
  act(command, async () => (await import('./commands/replay.js')).replayCommand);
}

function addAudit(program: Command, act: Act): void {
  const command = program
    .command('audit <runs...>')
    .description(
      'What the records can and cannot support: missing verdicts, times, tokens and prices, copies, suspicious successes, and what each way of counting would change. Bad records are part of the answer: they are skipped unless --on-error says otherwise.',
    )
    .option('--by <label>', 'also for each value of this label; repeatable', collect);
  withReading(command);
  withReport(command, `capfit audit ${EXAMPLE}`, 'capfit audit runs/ --by task_type --json');
  act(command, async () => (await import('./commands/audit.js')).auditCommand);
}

function addCard(program: Command, act: Act): void {
  const command = program
    .command('card [runs...]')
    .description('The stop-policy card: of a policy file, of recorded runs, or of a policy held against recorded runs.')
    .option('--policy <file>', 'the policy file; without it the caps are derived from the runs')
    .option('--preset <name>', 'a published policy instead of a file, see capfit rules --list')
    .addOption(
      new Option('--format <format>', 'how the card is written')
        .choices(['text', 'markdown', 'json', 'yaml', 'html'])
        .default('text'),
    )
    .option('-o, --output <file>', 'write to a file instead of standard output');
  withReading(command);
  withDeriving(command);
  withJoint(command);
  withPolicyWords(command);
  withReport(command, `capfit card ${EXAMPLE}`, 'capfit card --policy policy.yaml --format markdown -o card.md');
  act(command, async () => (await import('./commands/card.js')).cardCommand);
}

/** The world as the printing flags want it. */
function asAsked(io: Io, { color, markdown }: RawOptions): Io {
  return { ...io, color: io.color && color !== false, markdown: markdown === true };
}

/** Commander names all choices where none was typed; the nearest one is named first. */
function withNearestChoice(each: Option | Argument): void {
  const { argChoices } = each;
  if (argChoices === undefined) return;
  each.argParser((typed: string) => {
    if (argChoices.includes(typed)) return typed;
    throw new InvalidArgumentError(choiceSentence(typed, argChoices));
  });
}

/** Commander repeats what was typed in its messages. */
function escapeLines(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeTerminal(line, 2000))
    .join('\n');
}

/** `--on-error quarantine FILE` as one word: an option's second value would else be taken for an input. */
export function joinQuarantine(argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] as string;
    const isMode = word === 'quarantine' && argv[index - 1] === '--on-error';
    if (isMode && argv[index + 1] !== undefined) joined.push(`quarantine=${argv[++index]}`);
    else if (word === '--on-error=quarantine' && argv[index + 1] !== undefined) joined.push(`${word}=${argv[++index]}`);
    else joined.push(word);
  }
  return joined;
}
