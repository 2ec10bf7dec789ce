import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import about from '../../package.json' with { type: 'json' };

// The built program, as `npm test` has just built it.
const program = join(import.meta.dirname, '../..', about.bin.sluice);

/** Runs `sluice emulator` until the test is over; answers its base URL, the first line it prints. */
export async function runningEmulator(...flags: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program, 'emulator', '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], SLUICE_LOG: 'error' },
  });
  const ended = new Promise<never>((_, failed) => {
    child.once('error', failed);
    child.once('exit', (code) =>
      failed(new Error(`the emulator ended with ${String(code)} before it said where it is`)),
    );
  });
  ended.catch(() => undefined);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended.catch(() => undefined);
  });
  const reported = new Promise<string>((done) => createInterface({ input: child.stdout }).once('line', done));
  return (await Promise.race([reported, ended])).trim();
}
