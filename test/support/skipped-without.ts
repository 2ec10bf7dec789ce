/** What the names of tests end in that need a program: nothing where it is installed; else they are skipped, and a line on stderr reports that. */
export function skippedWithout(program: string, isInstalled: boolean): string {
  if (isInstalled) return '';
  process.stderr.write(`WARNING: ${program} is not installed: the tests that need it are SKIPPED\n`);
  return ` (SKIPPED: ${program} is not installed)`;
}
