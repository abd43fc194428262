import type { CommandSpec, FlagSpec, ProgramSpec, ValueSpec } from './spec.js';

/** The completion of a program as a script for bash, from 3.2 on. */
export function bashScript({ name, version, flags, commands }: ProgramSpec): string {
  const first = [...commands.map((command) => command.name), ...wordsOf(flags)];
  return `# bash completion of ${name} ${version}, as \`${name} completion bash\` prints it.
# In ~/.bashrc: source <(${name} completion bash)

# The words of "$1" that begin as typed; one that ends in = goes on. Nothing else is offered.
_${name}_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
  if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  compopt +o default +o bashdefault 2>/dev/null
}

# Paths, which readline completes by itself where nothing else is offered.
_${name}_file() { COMPREPLY=(); }
_${name}_folder() { COMPREPLY=(); compopt -o dirnames +o default +o bashdefault 2>/dev/null; }

# One of the words of "$1", or a path.
_${name}_word_or_file() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
  local IFS=$'\\n'
  if [[ \${#COMPREPLY[@]} != 0 ]]; then COMPREPLY+=($(compgen -f -- "$cur")); compopt -o filenames 2>/dev/null; fi
}

_${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= i
  # --flag=value comes as three words.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} != -* ]]; then command=\${COMP_WORDS[i]}; break; fi
  done
  COMPREPLY=()
  case $command in
    '') _${name}_words '${first.join(' ')}' ;;
${commands.map((command) => commandCase(name, command)).join('\n')}
  esac
}

complete -o bashdefault -o default -F _${name} ${name}
`;
}

/** What is offered behind one command: by the flag that stands before, else flags where a dash is typed, else operands. */
function commandCase(program: string, { name, flags, operand }: CommandSpec): string {
  const byOffer = new Map<string, string[]>();
  for (const flag of flags) {
    if (flag.value === null) continue;
    const offer = offerOf(program, flag.value);
    byOffer.set(offer, [...(byOffer.get(offer) ?? []), ...wordsOf([flag])]);
  }
  const words = `_${program}_words '${wordsOf(flags).join(' ')}'`;
  const bare =
    operand === null
      ? words
      : `if [[ $cur == -* ]]; then ${words}
          else ${offerOf(program, operand)}; fi`;
  return `    ${name})
      case $prev in
${[...byOffer].map(([offer, names]) => `        ${names.join(' | ')}) ${offer} ;;\n`).join('')}        *)
          ${bare} ;;
      esac ;;`;
}

function offerOf(program: string, { words, path }: ValueSpec): string {
  const list = `'${words.join(' ')}'`;
  if (path === null) return `_${program}_words ${list}`;
  return words.length > 0 ? `_${program}_word_or_file ${list}` : `_${program}_${path}`;
}

function wordsOf(flags: readonly FlagSpec[]): string[] {
  return flags.flatMap(({ long, short }) => (short === null ? [long] : [short, long]));
}
