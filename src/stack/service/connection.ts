import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import { baseUrl } from '../../api/base-url.ts';
import { proxyFor } from '../../api/connection/proxy-choice.ts';
import { connectionsBy } from '../settings/network-settings.ts';
import type { ServicePlace } from './open-service.ts';

/** A way to the service. */
export interface Connection {
  readonly baseUrl: string;
  readonly dispatcher: Dispatcher;
  /** Ends it; an emulator inside the process is kept in its file first, if anything in it was changed. */
  readonly close: () => Promise<void>;
}

/** Stands for the emulator inside the process; never looked up. */
export const embeddedUrl = 'http://embedded.localhost';

/** Opens the way to the service of a stack: over the network, or to the emulator inside the process. */
export async function connect(open: ServicePlace, parallelism: number, network?: Dispatcher): Promise<Connection> {
  if (open.baseUrl === 'embedded') return embedded(open);
  if (network !== undefined) return { baseUrl: open.baseUrl, dispatcher: network, close: () => Promise.resolve() };
  // A proxy that cannot be is reported before the first request.
  proxyFor(new URL(baseUrl(open.baseUrl).origin), open.network.proxy);
  return { baseUrl: open.baseUrl, ...connectionsBy(open.network, { connections: parallelism, pipelining: 1 }) };
}

async function embedded({ dir, vendor, stack }: ServicePlace): Promise<Connection> {
  const [{ createEmulator }, { loadAccount, saveAccount }] = await Promise.all([
    import('../../emulator/emulator.ts'),
    import('./account-file.ts'),
  ]);
  const path = join(dir, '.sluice', 'emulator.json');
  const emulator = createEmulator({ vendor, profile: stack.profile });
  loadAccount(emulator, path);
  return {
    baseUrl: embeddedUrl,
    dispatcher: emulator.dispatcher(),
    close: async () => {
      if (emulator.log.some(({ method }) => method !== 'GET')) await saveAccount(emulator, path);
    },
  };
}
