/** Thrown where the plain reader is not certain. Nobody is shown it: the full parser reads the text then. */
export const doubt = new Error('not-plain-yaml');

/** Whether the plain reader gave up. */
export function isDoubt(error: unknown): boolean {
  return error === doubt;
}
