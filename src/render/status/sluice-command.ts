/** A command line of sluice for the stack in a directory, as a shell takes it; without a directory, for the stack where it is run. */
export function sluiceCommand(dir: string | undefined, args: readonly string[]): string {
  return ['sluice', ...(dir === undefined ? [] : ['-C', dir]), ...args].map(shellWord).join(' ');
}

/** A text in which each command of sluice between backticks is one for the stack in a directory. */
export function commandsIn(text: string, dir: string | undefined): string {
  if (dir === undefined) return text;
  const prefix = sluiceCommand(dir, []);
  return text.replace(/`sluice (?!-C )([^`]+)`/g, (_, rest: string) => `\`${prefix} ${rest}\``);
}

/** A word of a command line as a shell takes it: in quotes where it needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
