import type { StackContext } from '../stack-context.ts';
import { resolve } from 'node:path';
import { wallClock, type Clock } from '../../api/clock.ts';
import { alwaysPermitted } from '../../api/while-allowed.ts';
import { stackFileName } from '../../manifest/stack-file/stack-file.ts';
import { apiKey } from '../settings/api-key.ts';
import { clientsOf, type Clients } from './clients.ts';
import { connect } from './connection.ts';
import { openLocked } from '../open-backend.ts';
import { networkChoice } from '../settings/network-settings.ts';
import { readStackConfig, type StackConfig } from '../settings/stack-config.ts';
import { stackFileAtHand } from '../stack-file-at-hand.ts';
import { closeAll } from '../close-all.ts';
import { UsageError } from '../usage-error.ts';

/** The service alone, for commands that no manifest is behind: neither state nor manifests are read. */
export interface Service extends Pick<Clients, 'reader' | 'writer'> {
  readonly clock: Clock;
  readonly close: () => Promise<void>;
}

const connections = 10;

/** Opens the service of the stack or, without a stack, the one that the environment names. */
export async function openService(
  context: StackContext,
  { command, writes }: { readonly command: string; readonly writes: boolean },
): Promise<Service> {
  const { io } = context;
  const from = resolve(io.cwd, context.dir ?? '.');
  const open = stackFileAtHand(context) === undefined ? undefined : await readStackConfig(context);
  const place: ServicePlace = open ?? fromEnvironment(context, from);
  const key = apiKey(place, io);
  // The account of the emulator inside sluice is a file that an apply may be writing. A real service needs no lock of ours.
  const isLocked = writes && open?.baseUrl === 'embedded';
  const locked = isLocked ? await openLocked(context, open, { command, writes }) : undefined;
  const connection = await connect(place, connections, io.network).catch(async (error: unknown) => {
    await locked?.close().catch(() => undefined);
    throw error;
  });
  const clock = io.clock ?? wallClock;
  const over = new AbortController();
  return {
    ...clientsOf(context, {
      ...connection,
      vendor: place.vendor,
      key,
      rateLimit: place.settings.api.rate_limit,
      stack: place.dir,
      clock,
      permit: alwaysPermitted,
      over: over.signal,
    }),
    clock,
    close: async () => {
      over.abort();
      await closeAll(connection.close, () => locked?.close());
    },
  };
}

/** What commands without a stack need of one. */
export type ServicePlace = Pick<StackConfig, 'dir' | 'env' | 'baseUrl' | 'network' | 'untrusted' | 'vendor'> & {
  readonly stack: Pick<StackConfig['stack'], 'profile'>;
  readonly settings: {
    readonly api: Pick<StackConfig['settings']['api'], 'key' | 'rate_limit'>;
  };
};

function fromEnvironment(context: StackContext, dir: string): ServicePlace {
  const { io } = context;
  const baseUrl = io.env['SLUICE_BASE_URL'] ?? '';
  const vendor = io.env['SLUICE_VENDOR'] ?? '';
  const missing = [...(baseUrl === '' ? ['SLUICE_BASE_URL'] : []), ...(vendor === '' ? ['SLUICE_VENDOR'] : [])];
  if (missing.length > 0)
    throw new UsageError(
      `there is no ${stackFileName} in ${dir} or its parent directories, and ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set`,
      'set SLUICE_BASE_URL, SLUICE_VENDOR and SLUICE_API_KEY, or select a stack with -C DIR',
    );
  if (baseUrl === 'embedded')
    throw new UsageError(
      'the embedded emulator needs a stack directory, and there is none',
      'run `sluice init` to create one',
    );
  return {
    dir,
    env: io.env,
    baseUrl,
    network: networkChoice(context, {}, dir),
    untrusted: [],
    vendor,
    stack: { profile: 'completed' },
    settings: { api: { key: { from_env: 'SLUICE_API_KEY' }, rate_limit: undefined } },
  };
}
