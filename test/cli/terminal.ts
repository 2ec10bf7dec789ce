import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';

/** What a command printed, and how it ended. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A directory with the files given, gone when the test is over. */
export async function directory(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-cli-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), text);
  }
  return dir;
}

/** Runs one command line in this process, away from any terminal unless the test says otherwise. */
export function sluice(cwd: string, args: string, io: Partial<Io> = {}): Promise<Ended> {
  return ran(cwd, args.split(' '), io);
}

/** The same, of words that may hold spaces. */
export async function ran(cwd: string, args: readonly string[], io: Partial<Io>): Promise<Ended> {
  let out = '';
  let err = '';
  const code = await run(
    args,
    {
      cwd,
      env: {},
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      stdin: () => Promise.resolve(Buffer.alloc(0)),
      terminal: { in: false, out: false, err: false },
      ask: () => Promise.reject(new Error('nobody is there to be asked')),
      signal: new AbortController().signal,
      ...io,
    },
    '0.0.0-test',
  );
  return { code, out, err };
}

/** A stack file that speaks to the emulator inside the process. */
export const stackFile = `version: 1
stack: {name: company, id: 5c1e7a90}
manifests: [manifests]
api: {base_url: embedded, vendor: example}
`;

/** One address that may be deleted, and an edge with a route. */
export const company = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {protect: false}
spec: {region: eu, description: Sensors}
---
apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop, labels: {team: web}}
spec:
  hostports: [shop.example.com:443]
  routes:
    - {name: front, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}}
`;

/** The company in a directory of its own. */
export function stack(manifests = company, file = stackFile): Promise<string> {
  return directory({ 'sluice.yaml': file, 'manifests/company.yaml': manifests });
}
