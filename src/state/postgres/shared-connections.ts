/*
 * The connections of a thread to its databases. A fleet has a store for each of its stacks, and hundreds of them in one
 * database: with connections of their own they would soon have all that a server allows, which is 100 unless
 * configured otherwise. All operations are single statements, so any connection serves any store.
 */
import postgres from 'postgres';
import { renewedAddress, type PostgresAddress } from './postgres-address.ts';

/** The driver's connections. */
export type DatabaseConnections = ReturnType<typeof postgres>;

/** To which database, and how many at most. */
export interface ConnectionOptions {
  readonly address: PostgresAddress;
  readonly connections: number;
  /** Trusted beside the authorities of Node. */
  readonly authorities?: readonly string[];
  /** How long an operation may take. */
  readonly deadlineMs: number;
}

/** The connections that a store has with others, until it gives them back. */
export interface SharedConnections {
  /** Those of now. */
  readonly now: () => DatabaseConnections;
  /** Has others opened in place of these, of which one does not answer. */
  readonly replace: (these: DatabaseConnections) => void;
  /** Has others opened in place of these, whose credentials are refused, where their file has others by now; answers whether those of now are others. */
  readonly renew: (these: DatabaseConnections) => boolean;
  /** By which credentials those of now are made. */
  readonly address: () => PostgresAddress;
  /** The last one ends them. */
  readonly giveBack: () => Promise<void>;
}

interface Shared {
  now: DatabaseConnections;
  address: PostgresAddress;
  stores: number;
  /** Ends those that have been replaced, at once. */
  readonly replaced: Set<() => Promise<void>>;
}

const all = new Map<string, Shared>();

/** Shares the connections to a database with the other stores of this thread that are in it. */
export function shareConnections(options: ConnectionOptions): SharedConnections {
  const { address, connections, authorities = [], deadlineMs } = options;
  const key = JSON.stringify([Object.entries(address).sort(), connections, authorities]);
  const shared = all.get(key) ?? { now: connect(options), address, stores: 0, replaced: new Set() };
  shared.stores += 1;
  all.set(key, shared);
  let isGivenBack = false;

  function replace(these: DatabaseConnections, afterMs: number): void {
    if (these !== shared.now || isGivenBack) return;
    shared.now = connect({ ...options, address: shared.address });
    const end = (): Promise<void> => {
      clearTimeout(timer);
      shared.replaced.delete(end);
      return these.end({ timeout: 0 }).catch(() => undefined);
    };
    // What others have asked for may be answered yet.
    const timer = setTimeout(() => void end(), afterMs);
    shared.replaced.add(end);
  }

  return {
    now: () => shared.now,
    replace: (these) => replace(these, shared.stores === 1 ? 0 : deadlineMs),
    renew: (these) => {
      const renewed = these === shared.now && !isGivenBack ? renewedAddress(shared.address) : undefined;
      if (renewed !== undefined) {
        shared.address = renewed;
        replace(these, deadlineMs);
      }
      return these !== shared.now;
    },
    address: () => shared.address,
    giveBack: async () => {
      if (isGivenBack) return;
      isGivenBack = true;
      shared.stores -= 1;
      if (shared.stores > 0) return;
      all.delete(key);
      await Promise.all([...[...shared.replaced].map((end) => end()), shared.now.end({ timeout: 1 })]);
    },
  };
}

function connect({ address, connections, authorities }: ConnectionOptions): DatabaseConnections {
  const { encryption, password, host, port, database, user } = address;
  return postgres({
    host,
    port,
    database,
    user,
    // As a function: in place of an empty text, the driver would send PGPASSWORD.
    password: () => password,
    ssl:
      encryption === 'none'
        ? false
        : {
            // Without it, the driver checks the certificate of an address against "localhost".
            host,
            rejectUnauthorized: encryption === 'verified',
            ...(authorities === undefined ? {} : { ca: [...authorities] }),
          },
    max: connections,
    // An operation has one deadline, with the connection it needs.
    connect_timeout: 0,
    // Its own delays grow to 20 seconds, and keep a run from ending for as long.
    backoff: () => 0.5,
    idle_timeout: 0,
    prepare: false,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: 'sluice' },
  });
}
