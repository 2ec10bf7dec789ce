import { onTestFinished } from 'vitest';
import { join } from 'node:path';
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts';
import { fleetJsonSchema, type FleetJson } from '../../../src/render/status/fleet/fleet-json-schema.ts';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { runFleet, type RunFleetOptions } from '../../../src/watch/fleet/run-fleet.ts';
import { directory } from '../../cli/terminal.ts';
import { startS3, type S3Server } from '../../support/s3-server.ts';
import { s3Bucket, s3Keys } from '../../support/s3-services.ts';
import { until } from '../../support/until.ts';
import { stackFiles } from '../fleet/start-fleet.ts';

// Whoever stops gives back what it has; a replica that is slow is not taken for dead.
const lease = '{heartbeat: 1s}';

/** One replica of a fleet, in this process. */
export interface ReplicaInTest {
  readonly url: string;
  readonly log: () => string;
  readonly status: () => Promise<FleetJson>;
  /** The stacks that it is the leader of. */
  readonly leads: () => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
  /** Settles once it has ended, with or without being stopped. */
  readonly ended: Promise<void>;
}

/** A store and a service that replicas share. */
export interface ReplicasInTest {
  readonly emulator: Emulator;
  readonly store: S3Server;
  /** The files of a stack whose state is in the store. */
  readonly stackFiles: (path: string, name: string, id: string) => Record<string, string>;
  /** Starts a replica that watches a directory, by default with a file for `--replicas` of the store. */
  readonly start: (
    dir: string,
    replicas?: string,
    more?: Partial<RunFleetOptions>,
    variables?: Readonly<Record<string, string>>,
  ) => Promise<ReplicaInTest>;
}

/** Starts both. */
export async function startReplicas(): Promise<ReplicasInTest> {
  const emulator = createEmulator();
  const [service, store] = [await emulator.listen({}), await startS3()];
  onTestFinished(async () => {
    await service.close();
    await store.stop();
  });
  const state = `state: {s3: {bucket: ${s3Bucket}, region: us-east-1, endpoint: "${store.endpoint}"}, lease: ${lease}}\n`;
  const file = join(await directory({ 'replicas.yaml': `version: 1\n${state}` }), 'replicas.yaml');
  return {
    emulator,
    store,
    stackFiles: (path, name, id) => {
      const files = stackFiles(path, name, id, state);
      const settings = `${path}/sluice.yaml`;
      // A stack that is behind is avoided for one interval: others see that.
      return { ...files, [settings]: files[settings]?.replace('interval: 1s,', 'interval: 1m,') ?? '' };
    },
    start: async (dir, replicas = file, more = {}, variables = {}) => {
      const over = new AbortController();
      let log = '';
      const env = {
        SLUICE_API_KEY: 'k3y',
        SLUICE_BASE_URL: service.url,
        AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
        ...variables,
      };
      const ended = runFleet(libraryContext({ dir, env, signal: over.signal }), dir, {
        parallelism: 2,
        concurrency: 2,
        searchMs: 500,
        listen: '127.0.0.1:0',
        listenProbes: false,
        poll: true,
        replicas,
        ...more,
        log: (level, event, message, fields) => {
          log += `${level} ${event}: ${message} ${JSON.stringify(fields ?? {})}\n`;
        },
      });
      const stop = async (): Promise<void> => {
        over.abort();
        await ended;
      };
      onTestFinished(() => stop().catch(() => undefined));
      await Promise.race([until(() => log.includes('status page at')), ended]);
      const url = /status page at (http:\/\/127\.0\.0\.1:\d+)/.exec(log)?.[1] ?? '';
      const status = async (): Promise<FleetJson> =>
        fleetJsonSchema.parse(await (await fetch(`${url}/status.json`)).json());
      const leads = async (): Promise<readonly string[]> =>
        (await status()).stacks.flatMap(({ path, role }) => (role === 'leader' ? [path] : [])).sort();
      return { url, log: () => log, status, leads, stop, ended };
    },
  };
}
