import { userInfo } from 'node:os';

/** The name of the user of this process. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
