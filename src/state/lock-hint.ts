/** The command of a lock that a watch holds. */
export const watchHolder = 'sluice watch';

/** The hints of an error that does not come again: a watch tries again automatically. */
export const runAgain = { hint: 'run the command again', hintInWatch: '' } as const;

/** What to do about a lock that another run holds: a watch holds it until it is paused. */
export function lockHint(command: string | undefined, ofOtherRuns: string): string {
  return command === watchHolder
    ? 'run `sluice pause`, which makes the watch release the lock, and `sluice resume` afterwards'
    : ofOtherRuns;
}
