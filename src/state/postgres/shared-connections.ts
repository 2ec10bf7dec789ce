/*
 * The connections of a thread to its databases. A fleet has a store for each of its stacks, and hundreds of them in one
 * database: with connections of their own they would soon have all that a server allows, which is 100 unless
 * configured otherwise. All operations are single messages, so any connection serves any store.
 */
import type { PostgresAddress } from './postgres-address.ts';
import { postgresPool, type PostgresPool } from './postgres-pool.ts';

/** To which database, and how many at most. */
export interface ConnectionOptions {
  readonly address: PostgresAddress;
  readonly connections: number;
  /** Trusted beside the authorities of Node. */
  readonly authorities?: readonly string[];
  readonly deadlineMs: number;
}

/** The connections that a store has with others, until it gives them back. */
export interface SharedConnections {
  readonly pool: PostgresPool;
  /** The last one ends them. */
  readonly giveBack: () => Promise<void>;
}

const all = new Map<string, { readonly pool: PostgresPool; stores: number }>();

/** Shares the connections to a database with the other stores of this thread that are in it. */
export function shareConnections({ address, connections, authorities }: ConnectionOptions): SharedConnections {
  const key = JSON.stringify([Object.entries(address).sort(), connections, authorities]);
  const shared = all.get(key) ?? { pool: postgresPool(address, connections, authorities), stores: 0 };
  shared.stores += 1;
  all.set(key, shared);
  let isGivenBack = false;

  return {
    pool: shared.pool,
    giveBack: async () => {
      if (isGivenBack) return;
      isGivenBack = true;
      shared.stores -= 1;
      if (shared.stores > 0) return;
      all.delete(key);
      await shared.pool.end();
    },
  };
}
