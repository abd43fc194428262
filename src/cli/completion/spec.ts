import type { Command, Option } from 'commander';
import { valueWords } from './words.js';

/** What may stand in the place of a value: one of some words, a path, or both; neither: text that only its author knows. */
export interface ValueSpec {
  /** What it is called in the help. */
  readonly name: string;
  /** Those that end in `=` go on. */
  readonly words: readonly string[];
  readonly path: 'file' | 'folder' | null;
}

export interface FlagSpec {
  readonly long: string;
  readonly short: string | null;
  readonly about: string;
  /** `null`: it takes none. */
  readonly value: ValueSpec | null;
  readonly isRepeatable: boolean;
}

export interface CommandSpec {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly FlagSpec[];
  /** What stands behind the command by itself; `null`: nothing. */
  readonly operand: ValueSpec | null;
}

/** Everything that can be typed. */
export interface ProgramSpec {
  readonly name: string;
  readonly version: string;
  readonly flags: readonly FlagSpec[];
  readonly commands: readonly CommandSpec[];
}

/** What there is to complete, as the program itself takes its arguments apart. */
export function programSpec(program: Command): ProgramSpec {
  const help = program.createHelp();
  const commands = help.visibleCommands(program).map((command): CommandSpec => {
    const [operand] = command.registeredArguments;
    const words = command.name() === 'help' ? program.commands.map((each) => each.name()) : [];
    return {
      name: command.name(),
      about: sentence(command.summary() || command.description()),
      flags: help.visibleOptions(command).map((option) => flagSpec(command.name(), option)),
      operand: operand === undefined ? null : valueSpec(operand.name(), [...(operand.argChoices ?? []), ...words]),
    };
  });
  return {
    name: program.name(),
    version: program.version() ?? '',
    flags: help.visibleOptions(program).map((option) => flagSpec(program.name(), option)),
    commands,
  };
}

function flagSpec(command: string, option: Option): FlagSpec {
  const long = option.long ?? option.flags;
  const [, name] = /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(option.flags) ?? [];
  return {
    long,
    short: option.short ?? null,
    about: sentence(option.description),
    value: name === undefined ? null : valueSpec(name, option.argChoices ?? valueWords(command, long)),
    isRepeatable: /; repeatable\b/.test(option.description),
  };
}

/** Placeholders that stand for a path. */
const PATHS: ReadonlyMap<string, ValueSpec['path']> = new Map([
  ['file', 'file'],
  ['runs', 'file'],
  ['dir', 'folder'],
]);

function valueSpec(name: string, words: readonly string[]): ValueSpec {
  return { name, words, path: PATHS.get(name) ?? null };
}

/** As much of a description as stands beside a word in a list. */
function sentence(text: string): string {
  const [first = ''] = text.split(/; |\. /);
  const isTorn = first.lastIndexOf('(') > first.lastIndexOf(')');
  return (isTorn ? first.slice(0, first.lastIndexOf('(')) : first).trim().replace(/\.$/, '');
}
