/** Thrown where the plain reader is not certain: no error of the user's, so it has no message and no stack. */
export const doubt = Symbol('doubt');

/** Whether the plain reader gave up. */
export function isDoubt(error: unknown): boolean {
  return error === doubt;
}
