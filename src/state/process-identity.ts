import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isProcessAlive } from './is-alive.ts';

/** Which process, so exactly that another one that gets its number later is not taken for it. */
export interface ProcessIdentity {
  /** Where process numbers mean the same: one boot of one machine or container. */
  readonly machine: string;
  readonly pid: number;
  /** When the process started, in the clock of the machine; empty if the system does not report it. */
  readonly processStart: string;
}

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return { machine: machine(), pid: process.pid, processStart: startTimeOf(process.pid) ?? '' };
}

/** Whether a process certainly no longer runs; undefined if this machine cannot know. */
export function isGone({ machine: where, pid, processStart }: ProcessIdentity): boolean | undefined {
  if (where !== machine()) return undefined;
  if (!isProcessAlive(pid)) return true;
  const now = startTimeOf(pid);
  return now !== undefined && processStart !== '' && now !== processStart;
}

function machine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

// Of one that is dead but not yet buried, there is no beginning either: `-` is that of no process.
function startTimeOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, which may hold anything; the third is the state.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? '-' : fields[19];
  } catch {
    return undefined;
  }
}
