import type { CommandSpec, FlagSpec, ProgramSpec, ValueSpec } from './spec.js';

/** The completion of a program as a script for fish, from 3.0 on. */
export function fishScript({ name, version, flags, commands }: ProgramSpec): string {
  const first = `complete -c ${name} -n __fish_use_subcommand`;
  return `# fish completion of ${name} ${version}, as \`${name} completion fish\` prints it.
# Once: ${name} completion fish > ~/.config/fish/completions/${name}.fish

complete -c ${name} -f
${flags.map((flag) => `${first}${flagWords(flag)}`).join('\n')}
${commands.map((command) => `${first} -a ${command.name} -d ${quoted(command.about)}`).join('\n')}

${commands.flatMap((command) => commandLines(name, command)).join('\n')}
`;
}

function commandLines(program: string, { name, flags, operand }: CommandSpec): string[] {
  const seen = `complete -c ${program} -n '__fish_seen_subcommand_from ${name}'`;
  return [
    ...(operand === null ? [] : [`${seen}${operandWords(operand)}`]),
    ...flags.map((flag) => `${seen}${flagWords(flag)}`),
  ];
}

function flagWords({ long, short, about, value }: FlagSpec): string {
  const names = `${short === null ? '' : ` -s ${short.slice(1)}`} -l ${long.slice(2)}`;
  return `${names}${value === null ? '' : ` ${valueWords(value)}`} -d ${quoted(about)}`;
}

function valueWords({ words, path }: ValueSpec): string {
  const list = words.length === 0 ? '' : ` -a ${quoted(words.join(' '))}`;
  if (path === 'folder') return "-x -a '(__fish_complete_directories)'";
  return path === 'file' ? `-r -F${list}` : `-x${list}`;
}

function operandWords({ words, path }: ValueSpec): string {
  return `${path === 'file' ? ' -F' : ''}${words.length === 0 ? '' : ` -a ${quoted(words.join(' '))}`}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
