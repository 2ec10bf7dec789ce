/** The most that a body for a control endpoint may hold: a whole account. */
export const controlBodyLimit = 256 * 1_048_576;

/** What the paths of all control endpoints begin with; no path of the API does. */
export const controlPrefix = '/_emulator/';

/** Whether a path is one of the emulator's own, outside the API. */
export function isControl(path: string): boolean {
  return path.startsWith(controlPrefix);
}
