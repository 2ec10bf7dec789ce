import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import { fleetJsonSchema, type FleetJson } from '../../../src/render/status/fleet/fleet-json-schema.ts';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { runFleet, type RunFleetOptions } from '../../../src/watch/fleet/run-fleet.ts';
import { directory } from '../../cli/terminal.ts';
import { until } from '../../support/until.ts';

/** A stack file in a hurry. */
export const stackFile = (name: string, id: string, more = ''): string => `version: 1
stack: {name: ${name}, id: ${id}}
manifests: [manifests]
watch: {interval: 1s, debounce: 1s, scan_interval: 1s, prune: true}
${more}`;

const address = (name: string): string => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
lifecycle: {protect: false}
spec: {description: Of ${name}}
`;

/** The files of one stack with one address. */
export const stackFiles = (path: string, name: string, id: string, more = ''): Record<string, string> => ({
  [`${path}/sluice.yaml`]: stackFile(name, id, more),
  [`${path}/manifests/all.yaml`]: address(name),
});

/** A fleet that is watched in this process. */
export interface Fleet {
  readonly dir: string;
  /** Where its page is. */
  readonly url: string;
  /** Where its emulator is, and the key. */
  readonly env: Readonly<Record<string, string>>;
  readonly emulator: Emulator;
  readonly log: () => string;
  readonly get: (path: string) => Promise<Response>;
  readonly status: () => Promise<FleetJson>;
  /** The condition of each stack, by path. */
  readonly conditions: () => Promise<Readonly<Record<string, string>>>;
  readonly described: () => readonly unknown[];
  readonly write: (written: Readonly<Record<string, string>>) => Promise<void>;
}

/** Watches a directory with these files, in this process, against an emulator. */
export async function startFleet(
  given: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
  flags: (dir: string) => Partial<RunFleetOptions> = () => ({}),
): Promise<Fleet> {
  const emulator = createEmulator();
  const served = await emulator.listen({});
  const dir = await directory(given);
  const over = new AbortController();
  let log = '';
  const env = { SLUICE_API_KEY: 'k3y', SLUICE_BASE_URL: served.url, ...variables };
  const ended = runFleet(libraryContext({ dir, env, signal: over.signal }), dir, {
    parallelism: 2,
    concurrency: 2,
    searchMs: 100,
    listen: '127.0.0.1:0',
    listenProbes: false,
    poll: true,
    ...flags(dir),
    log: (level, event, message, fields) => {
      log += `${level} ${event}: ${message} ${JSON.stringify(fields ?? {})}\n`;
    },
  });
  const stop = async (): Promise<void> => {
    over.abort();
    await ended;
  };
  onTestFinished(async () => {
    await stop();
    await served.close();
  });
  await until(() => log.includes('status page at'));
  const url = /status page at (http:\/\/127\.0\.0\.1:\d+)/.exec(log)?.[1] ?? '';
  const get = (path: string): Promise<Response> => fetch(`${url}${path}`);
  const status = async (): Promise<FleetJson> => fleetJsonSchema.parse(await (await get('/status.json')).json());
  return {
    dir,
    url,
    env,
    emulator,
    log: () => log,
    get,
    status,
    conditions: async () => Object.fromEntries((await status()).stacks.map(({ path, condition }) => [path, condition])),
    described: () =>
      emulator
        .snapshot()
        .resources.map(({ spec }) => spec['description'])
        .sort(),
    write: async (written) => {
      for (const [name, text] of Object.entries(written)) {
        await mkdir(join(dir, name, '..'), { recursive: true });
        await writeFile(join(dir, name), text);
      }
    },
  };
}
