import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { ownMark } from '../../../src/files/process-identity.ts';

const [machine, pid] = ownMark().split('-');
const ended = String(spawnSync(process.execPath, ['--version']).pid);

/** How the names of files end that a process was writing which certainly no longer runs: it ended, or its number is that of another one now. */
export const endingsOfTheDead: readonly string[] = [`tmp-${machine}-${ended}-1-1`, `tmp-${machine}-${pid}-1-1`];

/** How those of all others end: a living process, one of another machine or of a container with the same host name, and something else. */
export const endingsOfOthers: readonly string[] = [
  `tmp-${ownMark()}-99`,
  `tmp-0123456789abcdef-${ended}-1-1`,
  `tmp-${hostname()}-${ended}-1`,
];
