import type { Command, Option } from 'commander';

/** The words that can follow one command. */
export interface CompletionWords {
  /** The command path, such as `state list`; empty for the root. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly about: string }[];
  readonly flags: readonly Flag[];
  /** The command has an argument that is a file or a directory. */
  readonly takesPath: boolean;
  /** The command has an argument that is the address of a resource. */
  readonly takesAddress: boolean;
}

/** A flag in all its spellings. */
export interface Flag {
  readonly spellings: readonly string[];
  readonly about: string;
  /** Undefined if the flag takes no value; empty if it takes any value. */
  readonly values?: readonly string[];
  /** Its value is a file or a directory. */
  readonly takesPath: boolean;
  /** Its value is the address of a resource. */
  readonly takesAddress: boolean;
}

const aPath = /^(dir|file|paths?|plan)$/;
const anAddress = /^address\b/;

/** Collects the words that can follow each command; `named` are the words for arguments and flag values by their name in help. */
export function completionWords(root: Command, named: Readonly<Record<string, readonly string[]>>): CompletionWords[] {
  const help = root.createHelp();
  const global = help.visibleOptions(root).map((option) => flagOf(option, named));
  return walk(root, '');

  function walk(command: Command, path: string): CompletionWords[] {
    const own = command === root ? [] : help.visibleOptions(command).map((option) => flagOf(option, named));
    const known = new Set(own.flatMap(({ spellings }) => spellings));
    const args = command.registeredArguments;
    return [
      {
        path,
        words: [
          ...help
            .visibleCommands(path === 'help' ? root : command)
            .map((child) => ({ word: child.name(), about: child.summary() || child.description() })),
          ...args
            .flatMap((argument) => argument.argChoices ?? named[argument.name()] ?? [])
            .map((word) => ({ word, about: '' })),
        ],
        flags: [...own, ...global.filter(({ spellings }) => !spellings.some((flag) => known.has(flag)))],
        takesPath: args.some((argument) => aPath.test(argument.name())),
        takesAddress: args.some((argument) => anAddress.test(argument.name())),
      },
      ...help
        .visibleCommands(command)
        .filter((child) => path === '' || child.name() !== 'help')
        .flatMap((child) => walk(child, path === '' ? child.name() : `${path} ${child.name()}`)),
    ];
  }
}

function flagOf(
  { short, long, description, argChoices, required, optional, flags }: Option,
  named: Readonly<Record<string, readonly string[]>>,
): Flag {
  const value = /[<[]([^>\]]+)/.exec(flags)?.[1] ?? '';
  return {
    spellings: [short, long].filter((flag) => flag !== undefined),
    about: description,
    ...(required || optional ? { values: argChoices ?? named[value] ?? [] } : {}),
    takesPath: aPath.test(value),
    takesAddress: anAddress.test(value),
  };
}
