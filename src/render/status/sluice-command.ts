/** A command line of sluice for the stack in a directory, as a shell takes it; without a directory, for the stack where it is run. */
export function sluiceCommand(dir: string | undefined, args: readonly string[]): string {
  return ['sluice', ...(dir === undefined ? [] : ['-C', dir]), ...args].map(shellWord).join(' ');
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
