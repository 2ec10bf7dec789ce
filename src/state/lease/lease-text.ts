import type { Lease } from './lease.ts';

/** The text of a lock file. The heartbeat is as long at any time, so that it can be renewed in place. */
export function leaseText(given: Lease): string {
  return `${JSON.stringify(given)}\n`;
}
