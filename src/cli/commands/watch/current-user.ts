import { userInfo } from 'node:os';
import { safeText } from '../../../diagnostics/safe-text.ts';

/** The name of the user of this process. */
export function currentUser(): string {
  try {
    return safeText(userInfo().username, 80);
  } catch {
    return 'unknown';
  }
}
