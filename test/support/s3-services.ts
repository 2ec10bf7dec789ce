import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './postgres-server.ts';
import { untilListening } from './until-listening.ts';

/** A program that serves S3, as it is started with an empty bucket. */
export interface S3Program {
  readonly name: string;
  readonly isInstalled: boolean;
  /** Whether it refuses a wrong key. */
  readonly checksSignatures: boolean;
  readonly start: () => Promise<{ readonly endpoint: string; readonly stop: () => Promise<void> }>;
}

/** What all of them accept. */
export const s3Keys = { accessKeyId: 'sluice', secretAccessKey: 'sluice-secret-word' };
/** The bucket that they begin with. */
export const s3Bucket = 'state-bucket';

/** Programs with an S3 API; each is tested where it is installed. */
export const s3Programs: readonly S3Program[] = [
  program('versitygw', (dir, port) => [
    ['--port', `127.0.0.1:${port}`, '--access', s3Keys.accessKeyId, '--secret', s3Keys.secretAccessKey, 'posix', dir],
    {},
  ]),
  program('minio', (dir, port) => [
    ['server', '--address', `127.0.0.1:${port}`, '--console-address', '127.0.0.1:0', dir],
    { MINIO_ROOT_USER: s3Keys.accessKeyId, MINIO_ROOT_PASSWORD: s3Keys.secretAccessKey },
  ]),
  program('gofakes3', (_, port) => [['-backend', 'memory', '-autobucket', '-host', `127.0.0.1:${port}`], {}]),
];

function program(
  name: string,
  options: (dir: string, port: number) => readonly [readonly string[], Readonly<Record<string, string>>],
): S3Program {
  return {
    name,
    isInstalled: spawnSync(name, ['--help']).error === undefined,
    checksSignatures: name !== 'gofakes3',
    start: async () => {
      const dir = mkdtempSync(`/tmp/sluice-${name}-`);
      mkdirSync(join(dir, s3Bucket));
      const port = await freePort();
      const [args, env] = options(dir, port);
      const child = spawn(name, args, { cwd: dir, stdio: 'ignore', env: { ...process.env, ...env } });
      await untilListening(port);
      const endpoint = `http://127.0.0.1:${port}`;
      await untilReady(endpoint);
      return {
        endpoint,
        stop: async () => {
          const over = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGKILL');
          await over;
          rmSync(dir, { recursive: true, force: true });
        },
      };
    },
  };
}

// minio accepts connections before it can answer them.
async function untilReady(endpoint: string): Promise<void> {
  for (let tries = 0; tries < 2_400; tries++) {
    if ((await fetch(`${endpoint}/${s3Bucket}`)).status < 500) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${endpoint} is not ready`);
}
