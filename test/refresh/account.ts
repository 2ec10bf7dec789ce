import { createClient, type Client } from '../../src/api/client.ts';
import { readOnly } from '../../src/api/while-allowed.ts';
import { joinMetadata, makeMarker } from '../../src/derive/marker.ts';
import { createEmulator, inProcessOrigin, type Emulator } from '../../src/emulator/emulator.ts';
import type { EmulatorOptions } from '../../src/emulator/options.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Account, Actual } from '../../src/model/actual.ts';
import { addressOf, nestedName, splitAddress, type Address } from '../../src/model/address.ts';
import type { Stack } from '../../src/model/stack.ts';
import type { Entry, State } from '../../src/model/state.ts';
import { refresh, type RefreshOptions } from '../../src/refresh/refresh.ts';
import { serviceSource } from '../../src/refresh/service-source.ts';
import { emptyState } from '../../src/state/store.ts';

/** The stack of these tests. */
export const shop: Stack = { name: 'shop', id: 'a1b2c3d4', profile: 'completed', marker: true };

/** An account at an emulator, filled by hand, and a look at it. */
export interface TestAccount {
  readonly emulator: Emulator;
  /** Makes a resource; its marker is that of the address, made by this stack or the one given. */
  readonly add: (address: Address, facts?: Made) => Promise<string>;
  /** Makes a resource that nobody's marker is on. */
  readonly addForeign: (kind: string, facts?: Made) => Promise<string>;
  readonly remove: (address: Address, id: string, parent?: string) => Promise<unknown>;
  /** Observes, and tells what was asked for meanwhile. */
  readonly look: (options?: Partial<RefreshOptions>) => Promise<Account & { readonly requests: string[] }>;
}

/** How a resource is made. */
export interface Made {
  readonly parent?: string;
  readonly stack?: { readonly name: string; readonly id: string };
  readonly body?: object;
  readonly nonce?: string;
  readonly protect?: boolean;
}

const bodies: Readonly<Record<string, object>> = {
  EventSubscription: { sources: [{ type: 'edge_updated.v0' }] },
  HTTPSEdgeRoute: { match_type: 'path_prefix', match: '/' },
};

/** An empty account at an emulator of its own. */
export function testAccount(emulatorOptions: EmulatorOptions = {}, stack: Stack = shop): TestAccount {
  const emulator = createEmulator(emulatorOptions);
  const facts = { baseUrl: inProcessOrigin, vendor: 'example', key: () => 'key', userAgent: 'test/1' };
  const writing = createClient({ ...facts, dispatcher: emulator.dispatcher() });
  const reading = createClient({ ...facts, dispatcher: emulator.dispatcher().compose(readOnly) });

  const make = async (kind: string, { parent, body }: Made, metadata: object): Promise<string> => {
    const answer = await writing.write({
      method: 'POST',
      path: pathOf(kind, parent),
      body: { ...bodies[kind], ...metadata, ...body },
    });
    return String(answer?.['id']);
  };

  return {
    emulator,
    add: (address, { nonce = 'n1', protect = false, ...made } = {}) =>
      make(splitAddress(address).kind, made, {
        metadata: joinMetadata('', makeMarker(made.stack ?? stack, address, { protect, retain: false }, nonce)),
      }),
    addForeign: (kind, made = {}) => make(kind, made, {}),
    remove: (address, id, parent) =>
      writing.write({ method: 'DELETE', path: `${pathOf(splitAddress(address).kind, parent)}/${id}` }),
    look: async (options = {}) => {
      const before = emulator.log.length;
      const account = await refresh({ ...lookOptions(reading, stack), ...options });
      return { ...account, requests: emulator.log.slice(before).map(({ method, path }) => `${method} ${path}`) };
    },
  };
}

/** What state remembers: addresses with their ids, routes as `[id, id of the edge]`. */
export function remembered(ids: Readonly<Record<Address, string | readonly [string, string]>>): State {
  const entries = Object.entries(ids).map(([address, given]): [Address, Entry] => {
    const [id, parent] = typeof given === 'string' ? [given] : given;
    const plain = { kind: splitAddress(address).kind, spec: {}, protect: false, retain: false };
    return [address, { ...plain, id, ...(parent === undefined ? {} : { parent }) }];
  });
  return { ...emptyState(shop.id, inProcessOrigin), serial: 1, entries: Object.fromEntries(entries) };
}

/** Addresses of ours with their ids. */
export function idsOf({ ours }: Account): Record<Address, string> {
  return Object.fromEntries([...ours].map(([address, { id }]: [Address, Actual]) => [address, id]));
}

/** An address longer than a marker can hold. */
export const longAddress = addressOf('HTTPSEdgeRoute', nestedName('shop', `/${'deep/'.repeat(60)}`));

function lookOptions(client: Client, stack: Stack): RefreshOptions {
  return { source: serviceSource(client, kinds), kinds, stack, state: undefined, wanted: new Set(), addresses: [] };
}

function pathOf(kind: string, parent = ''): string {
  return (kinds.named(kind)?.path ?? '').replace(/\{\w+\}/, parent);
}
