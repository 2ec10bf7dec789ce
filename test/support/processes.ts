import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import about from '../../package.json' with { type: 'json' };

/** How a process ended. */
export interface ProcessEnd {
  /** The exit code, or the signal that ended it. */
  readonly code: number | NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A process of the built program. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<ProcessEnd>;
}

/** The built program, as `npm test` has just built it. */
export const program = join(import.meta.dirname, '../..', about.bin.sluice);

/** Why tests of the built program are left out, if they must be. */
export const notBuilt = existsSync(program) ? '' : ' (left out: run `npm run build` first)';

/** Starts the built program, or a shell line that ends in it. */
export function startProgram(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  shell?: (command: string) => string,
): Running {
  const command = [process.execPath, program, ...args];
  const [file = '', ...rest] = shell === undefined ? command : ['/bin/bash', '-c', shell(command.join(' '))];
  const child = spawn(file, rest, { cwd, env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: 'pipe' });
  child.stdin.end();
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return {
    child,
    ended: new Promise((done) => child.once('close', (code, signal) => done({ code: code ?? signal, out, err }))),
  };
}
