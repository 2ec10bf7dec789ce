/** An error of Commander's in the form of all others: no prefix, no value that may be a secret, and the hint apart. */
export function argumentError(text: string): { readonly message: string; readonly hint?: string } {
  // Commander has printed the help of a group of commands.
  if (text === '(outputHelp)') return { message: 'a command is missing' };
  const plain = withoutValues(text)
    .trimEnd()
    .replace(/^error: /, '')
    .replace(/\. Expected (\d+) arguments? but got (\d+)\./, ': $2 given, $1 allowed')
    .replace(/command-argument value '([^']*)' is invalid for argument '([^']*)'/, "the argument '$2' cannot be '$1'");
  const [found = '', several = '', near] =
    /\n\(Did you mean (one of )?([^)]*)\?\)$/.exec(plain) ?? / Did you mean ()([\w-]+)\?$/.exec(plain) ?? [];
  if (near === undefined) return { message: plain };
  const message = plain.slice(0, -found.length);
  // Its value made it unknown.
  if (message.includes(`'${near}'`)) return { message };
  return { message, hint: `did you mean ${several}\`${near.replaceAll(', ', '`, `')}\`?` };
}

/** An error of Commander's without the value of a variable, or of a flag that is none: it may be a secret. */
function withoutValues(text: string): string {
  return text
    .replace(/(option '--var <name=value>') argument '[^]*' is invalid\. /, '$1: ')
    .replace(/unknown option '(--?[\w-]+)=[^]*'/, "the option '$1' is unknown or takes no value");
}
