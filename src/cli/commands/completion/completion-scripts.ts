import { addressesCommand, type shells } from './completion-program.ts';
import type { CompletionWords, Flag } from './completion-words.ts';

type Shell = (typeof shells)[number];

/** A completion script for a shell. It contains the whole command tree, so that completing runs sluice only for addresses. */
export const completionScript: Readonly<Record<Shell, (tree: readonly CompletionWords[]) => string>> = {
  bash,
  zsh,
  fish,
};

function bash(tree: readonly CompletionWords[]): string {
  return `# Completion of sluice for bash: source <(sluice completion bash)

${tables(tree)}
_sluice() {
  local sluice_place='' sluice_open='' sluice_dir='' sluice_words='' sluice_flags='' sluice_values='' sluice_paths=''
  local sluice_addresses='' words=() word joined='' at
  # Readline breaks words at colons, which addresses contain.
  for word in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ -n $joined || $word == : ]]; then words[\${#words[@]}-1]+=$word; else words+=("$word"); fi
    [[ $word == : ]] && joined=yes || joined=''
  done
  local last=$((\${#words[@]} - 1))
  local cur=\${words[last]}
  for ((at = 1; at < last; at++)); do _sluice_step "\${words[at]}"; done
  _sluice_at "$sluice_place"
  [[ $cur == = ]] && cur=''
  if [[ -n $sluice_open ]]; then
    _sluice_value "$sluice_place:$sluice_open"
    COMPREPLY=($(compgen -W "$sluice_values" -- "$cur"))
  elif [[ $cur == -* ]]; then
    sluice_paths='' sluice_addresses=''
    COMPREPLY=($(compgen -W "$sluice_flags" -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$sluice_words" -- "$cur"))
  fi
  if [[ -n $sluice_paths ]]; then
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
  fi
  if [[ -n $sluice_addresses ]]; then
    COMPREPLY+=($(compgen -W "$(_sluice_read_addresses)" -- "$cur"))
    COMPREPLY=("\${COMPREPLY[@]#"\${cur%"\${cur##*:}"}"}")
  fi
  return 0
}
complete -o filenames -F _sluice sluice
`;
}

function zsh(tree: readonly CompletionWords[]): string {
  return `#compdef sluice
# Completion of sluice for zsh: source <(sluice completion zsh) after compinit, or save this as _sluice in a directory of $fpath

${tables(tree)}
_sluice() {
  local sluice_place='' sluice_open='' sluice_dir='' sluice_words='' sluice_flags='' sluice_values='' sluice_paths=''
  local sluice_addresses='' at
  for ((at = 2; at < CURRENT; at++)); do _sluice_step "\${words[at]}"; done
  _sluice_at "$sluice_place"
  if [[ -n $sluice_open ]]; then
    _sluice_value "$sluice_place:$sluice_open"
    compadd -- \${=sluice_values}
  elif [[ \${words[CURRENT]} == -* ]]; then
    sluice_paths='' sluice_addresses=''
    compadd -- \${=sluice_flags}
  else
    compadd -- \${=sluice_words}
  fi
  [[ -n $sluice_paths ]] && _files
  [[ -n $sluice_addresses ]] && compadd -- \${(f)"$(_sluice_read_addresses)"}
  return 0
}
if [[ \${funcstack[1]} == _sluice ]]; then _sluice "$@"; else compdef _sluice sluice; fi
`;
}

/** The part that bash and zsh share: the words after each command, and the step from one word to the next. */
function tables(tree: readonly CompletionWords[]): string {
  const places = tree.map(({ path, words, flags, takesPath, takesAddress }) => {
    const spellings = flags.flatMap((flag) => flag.spellings);
    const paths = (takesPath ? ' sluice_paths=yes' : '') + (takesAddress ? ' sluice_addresses=yes' : '');
    return `    '${path}') sluice_words='${words.map(({ word }) => word).join(' ')}' sluice_flags='${spellings.join(' ')}'${paths} ;;`;
  });
  const values = valued(tree).flatMap(({ pattern, flag }) => {
    if (flag.takesPath) return [`    ${pattern}) sluice_paths=yes ;;`];
    if (flag.takesAddress) return [`    ${pattern}) sluice_addresses=yes ;;`];
    return flag.values?.length === 0 ? [] : [`    ${pattern}) sluice_values='${flag.values?.join(' ') ?? ''}' ;;`];
  });
  return `# The words that can follow a command.
_sluice_at() {
  case "$1" in
${places.join('\n')}
  esac
}

# The values of a flag.
_sluice_value() {
  sluice_paths='' sluice_addresses=''
  case "$1" in
${values.join('\n')}
  esac
}

# The addresses in the manifests of the stack.
_sluice_read_addresses() {
  sluice \${sluice_dir:+-C "$sluice_dir"} ${addressesCommand} 2>/dev/null
}

# Advances by one word: to the next command, or to a flag that takes a value.
_sluice_step() {
  if [[ -n $sluice_open ]]; then
    [[ $1 == = ]] && return
    [[ $sluice_open == -C ]] && sluice_dir=$1
    sluice_open=''
    return
  fi
  case "$sluice_place:$1" in
${valued(tree)
  .map(({ pattern }) => `    ${pattern}) sluice_open=$1 ;;`)
  .join('\n')}
    *:-*) ;;
${steps(tree)
  .map(({ from, path }) => `    '${from}') sluice_place='${path}' ;;`)
  .join('\n')}
  esac
}
`;
}

/** Each flag that takes a value, with the commands that have it; global flags once. */
function valued(tree: readonly CompletionWords[]): { readonly pattern: string; readonly flag: Flag }[] {
  const everywhere = new Set(tree[0]?.flags.flatMap(({ spellings }) => spellings));
  return tree.flatMap(({ path, flags }) =>
    flags
      .filter(({ values }) => values !== undefined)
      .flatMap((flag) =>
        flag.spellings
          .filter((spelling) => path === '' || !everywhere.has(spelling))
          .map((spelling) => ({ pattern: path === '' ? `*:${spelling}` : `'${path}:${spelling}'`, flag })),
      ),
  );
}

function steps(tree: readonly CompletionWords[]): { readonly from: string; readonly path: string }[] {
  return tree.flatMap(({ path }) => {
    const at = path.lastIndexOf(' ');
    return path === '' ? [] : [{ from: `${path.slice(0, Math.max(0, at))}:${path.slice(at + 1)}`, path }];
  });
}

function fish(tree: readonly CompletionWords[]): string {
  const everywhere = tree[0]?.flags ?? [];
  const global = new Set(everywhere.flatMap(({ spellings }) => spellings));
  const patterns = valued(tree).map(({ pattern }) => (pattern.startsWith('*') ? `'${pattern}'` : pattern));
  const lines = tree.flatMap(({ path, words, flags, takesPath, takesAddress }) => {
    const at = `complete -c sluice -n "__sluice_at '${path}'"`;
    return [
      ...(takesPath ? [`${at} -F`] : []),
      ...(takesAddress ? [`${at} -a '${addressesInFish}'`] : []),
      ...words.map(({ word, about }) => `${at} -a ${word}${aboutText(about)}`),
      ...flags
        .filter(({ spellings }) => path === '' || !spellings.every((spelling) => global.has(spelling)))
        .map((flag) => `${path === '' ? 'complete -c sluice' : at}${flagText(flag)}`),
    ];
  });
  return `# Completion of sluice for fish: sluice completion fish | source

# The command so far, without flags and their values.
function __sluice_place
    set -l place ''
    set -l open ''
    set -l tokens (commandline -opc)
    set -e tokens[1]
    for word in $tokens
        if test -n "$open"
            set open ''
            continue
        end
        switch "$place:$word"
            case ${patterns.join(' ')}
                set open yes
            case '*:-*'
${steps(tree)
  .map(({ from, path }) => `            case '${from}'\n                set place '${path}'`)
  .join('\n')}
        end
    end
    echo $place
end

function __sluice_at
    test (__sluice_place) = "$argv[1]"
end

complete -c sluice -f
${lines.join('\n')}
`;
}

const addressesInFish = `(sluice ${addressesCommand} 2>/dev/null)`;

function flagText({ spellings, about, values, takesPath, takesAddress }: Flag): string {
  const names = spellings.map((flag) => (flag.startsWith('--') ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`));
  const value =
    values === undefined
      ? ''
      : takesPath
        ? ' -r -F'
        : ` -x${takesAddress ? ` -a '${addressesInFish}'` : values.length === 0 ? '' : ` -a '${values.join(' ')}'`}`;
  return `${names.join('')}${value}${aboutText(about)}`;
}

function aboutText(about: string): string {
  return about === '' ? '' : ` -d '${about.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
}
