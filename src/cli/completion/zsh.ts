import type { CommandSpec, FlagSpec, ProgramSpec, ValueSpec } from './spec.js';

/** The completion of a program as a script for zsh, from 5.1 on: sourced, or as a file of `$fpath`. */
export function zshScript({ name, version, flags, commands }: ProgramSpec): string {
  const listed = commands.map((command) => `        ${quoted(`${command.name}:${command.about}`)}`);
  return `#compdef ${name}
# zsh completion of ${name} ${version}, as \`${name} completion zsh\` prints it.
# In ~/.zshrc, behind compinit: source <(${name} completion zsh)
# Or once: ${name} completion zsh > a folder of $fpath/_${name}

_${name}() {
  local curcontext=$curcontext state line
  local -A opt_args
  local -a commands
  _arguments -C \\
${flags.map((flag) => `    ${flagWords(flag)} \\\n`).join('')}    '1: :->command' \\
    '*:: :->rest'
  case $state in
    command)
      commands=(
${listed.join('\n')}
      )
      _describe -t commands command commands ;;
    rest)
      case $words[1] in
${commands.map(commandCase).join('\n')}
      esac ;;
  esac
}

if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function commandCase({ name, flags, operand }: CommandSpec): string {
  const operands = operand === null ? [] : [quoted(`*${valueWords(operand)}`)];
  const specs = [...flags.map(flagWords), ...operands].map((spec) => ` \\\n            ${spec}`);
  return `        ${name})
          _arguments -s :${specs.join('')} ;;`;
}

/** The specification of a flag for \`_arguments\`: what excludes it, its names, what it is, its value. */
function flagWords({ long, short, about, value, isRepeatable }: FlagSpec): string {
  const rest = `[${about.replace(/[\\[\]]/g, '\\$&')}]${value === null ? '' : valueWords(value)}`;
  if (short === null) return quoted(`${isRepeatable ? '*' : ''}${long}${rest}`);
  return `${quoted(isRepeatable ? '*' : `(${short} ${long})`)}{${short},${long}}${quoted(rest)}`;
}

function valueWords({ name, words, path }: ValueSpec): string {
  return `:${name.replaceAll(':', '\\:')}:${actionOf(words, path)}`;
}

function actionOf(words: readonly string[], path: ValueSpec['path']): string {
  if (path === 'folder') return '_files -/';
  const list = words.join(' ');
  if (path === 'file') return words.length === 0 ? '_files' : `{compadd -- ${list}; _files}`;
  if (words.some((word) => word.endsWith('='))) return `{compadd -S "" -- ${list}}`;
  return words.length === 0 ? '' : `(${list})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
