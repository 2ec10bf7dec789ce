/** Thrown where the plain reader is not certain. Nobody is shown it: the full parser reads the text then. */
export const doubt = new Error('not certainly plain YAML');

/** Whether the plain reader gave up. */
export function isDoubt(error: unknown): boolean {
  return error === doubt;
}
