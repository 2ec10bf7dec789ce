import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

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
export function isGone({ machine: where, ...process }: ProcessIdentity): boolean | undefined {
  return where === machine() ? hasEnded(process) : undefined;
}

let mark: string | undefined;

/** This process as a part of a file name. It is worked out once: files are replaced often. */
export function ownMark(): string {
  return (mark ??= markIn(ownIdentity()));
}

/** Like `isGone`, by the mark of a process; undefined also for what is none. */
export function isMarkGone(mark: string): boolean | undefined {
  const [, where, pid, processStart = ''] = /^([0-9a-f]{16})-(\d{1,10})-(\d*)$/.exec(mark) ?? [];
  return where === markOf(machine()) ? hasEnded({ pid: Number(pid), processStart }) : undefined;
}

function markIn({ machine: where, pid, processStart }: ProcessIdentity): string {
  return `${markOf(where)}-${pid}-${processStart}`;
}

function markOf(where: string): string {
  return createHash('sha256').update(where).digest('hex').slice(0, 16);
}

function hasEnded({ pid, processStart }: Omit<ProcessIdentity, 'machine'>): boolean {
  if (!isAlive(pid)) return true;
  const now = startTimeOf(pid);
  return now !== undefined && processStart !== '' && now !== processStart;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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
