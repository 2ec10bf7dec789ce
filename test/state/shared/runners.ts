import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import { startProgram, type Running } from '../../support/processes.ts';
import type { StateService } from './state-services.ts';

/** Runners that share nothing but the store: each has a checkout of its own. */
export interface Runners {
  readonly emulator: Emulator;
  /** Writes the manifests of all checkouts. */
  readonly write: (manifests: string) => Promise<void>;
  readonly run: (runner: number, args: readonly string[], env?: Readonly<Record<string, string>>) => Running;
  readonly apply: (runner: number, ...flags: readonly string[]) => Running;
  readonly dir: (runner: number) => string;
}

/** The shortest durations that are accepted, for tests. */
export const shortLease = '{duration: 5s, heartbeat: 1s, store_deadline: 1s, write_deadline: 2s, margin: 1s}';

/** An outage of the store may last for ten minutes. */
export const longLease = shortLease.replace('duration: 5s', 'duration: 300s').replace('margin: 1s', 'margin: 60s');

/** Nothing lapses or is given up while a test runs, however slow a busy machine is. */
export const patientLease = '{duration: 300s, heartbeat: 1s, store_deadline: 20s, write_deadline: 60s, margin: 60s}';

let stacks = 0;

/** Makes checkouts of one stack. */
export async function runnersOf(
  { setting, env: keys }: Pick<StateService, 'setting' | 'env'>,
  count: number,
  lease = shortLease,
): Promise<Runners> {
  const id = (0x5c1e7a90 + ++stacks).toString(16);
  const emulator = createEmulator();
  const service = await emulator.listen();
  const root = await mkdtemp(join(tmpdir(), 'sluice-runners-'));
  onTestFinished(async () => {
    await service.close();
    await rm(root, { recursive: true, force: true });
  });
  const dir = (runner: number): string => join(root, String(runner));
  for (let runner = 0; runner < count; runner++) {
    await mkdir(join(dir(runner), 'manifests'), { recursive: true });
    await writeFile(
      join(dir(runner), 'sluice.yaml'),
      `version: 1
stack: {name: company, id: ${id}}
manifests: [manifests]
policy: {max_deletes: 100}
api: {base_url: "${service.url}", vendor: example}
state: {${setting}, lease: ${lease}}
`,
    );
  }
  const run: Runners['run'] = (runner, args, env = {}) =>
    startProgram(dir(runner), args, { SLUICE_API_KEY: 'right', ...keys, ...env });
  return {
    emulator,
    run,
    dir,
    apply: (runner, ...flags) => run(runner, ['apply', '--auto-approve', ...flags]),
    write: async (manifests) => {
      for (let runner = 0; runner < count; runner++)
        await writeFile(join(dir(runner), 'manifests/all.yaml'), manifests);
    },
  };
}

/** What a process has printed so far, by a function. */
export function printed({ child }: Running): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

/** A manifest of resources that no natural key protects from being made twice. */
export function addresses(...names: readonly string[]): string {
  return names
    .map(
      (name) =>
        `---\napiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}}\nlifecycle: {protect: false}\nspec: {region: eu}\n`,
    )
    .join('');
}
