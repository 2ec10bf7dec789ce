import { faulty, parseFault } from '../../../src/emulator/faults/fault.ts';
import type { PostgresServer } from '../../support/postgres-server.ts';
import { leadsOf } from '../checks.ts';
import type { Draw } from '../draw.ts';
import { fleetStacks, keyOf } from './fleet-stacks.ts';
import { again, pause } from '../pause.ts';
import type { Life } from '../replica.ts';
import type { Service } from '../service.ts';
import type { Supervised } from '../supervise.ts';

/** Everything that can fail beside the manifests of a fleet. */
export interface FleetWorld {
  readonly replicas: Supervised;
  readonly service: Service;
  readonly store: PostgresServer;
}

type Misfortune = (world: FleetWorld, draw: Draw, signal: AbortSignal) => Promise<void>;

// A lease lasts 16 s.
const stopMs = { least: 18_000, most: 22_000 };

/** What goes wrong, one after the other. */
export const misfortunes: Readonly<Record<string, Misfortune>> = {
  'replicas killed': ({ replicas }, draw) => {
    victim(replicas, draw).signal('SIGKILL');
    return Promise.resolve();
  },
  'replicas stopped for longer than the lease': async ({ replicas }, draw, signal) => {
    const life = victim(replicas, draw);
    life.signal('SIGSTOP');
    await pause(draw.within(stopMs.least, stopMs.most), signal);
    life.signal('SIGCONT');
  },
  'store restarts': async ({ store }, draw, signal) => {
    await store.crash();
    await pause(draw.within(500, 4_000), signal);
    await store.restart();
  },
  'times of 500': (world, draw, signal) => refused(world, 'status-before=500', draw, signal),
  'times of 429': (world, draw, signal) => refused(world, 'rate-limited=1', draw, signal),
  'keys revoked': (world, draw, signal) =>
    refused(world, 'status-before=401', draw, signal, `Bearer ${keyOf(draw.one(fleetStacks), '')}`),
};

/** Mostly the process that took the lead of a stack last: disturbing one that leads nothing has little effect. */
function victim({ lives, current }: Supervised, draw: Draw): Life {
  const leader = leadsOf(lives()).at(-1)?.key;
  const leading = current().find(({ key }) => key === leader);
  return leading !== undefined && draw.happens(0.7) ? leading : draw.one(current());
}

/** Lets each go wrong in turn, in another order each time, until the signal aborts. Returns how often each did. */
export async function goWrong(
  world: FleetWorld,
  draw: Draw,
  signal: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  const counts = Object.fromEntries(Object.keys(misfortunes).map((name) => [name, 0]));
  let left: string[] = [];
  await again(signal, async () => {
    await pause(draw.within(500, 4_000), signal);
    if (signal.aborted) return;
    if (left.length === 0) left = Object.keys(misfortunes);
    const name = draw.one(left);
    left = left.filter((one) => one !== name);
    await misfortunes[name]?.(world, draw, signal);
    counts[name] = (counts[name] ?? 0) + 1;
  });
  return counts;
}

/** Has the service refuse requests for a while: all of them, or those of whoever sends such a key. */
async function refused(
  { service: { emulator } }: FleetWorld,
  fault: string,
  draw: Draw,
  signal: AbortSignal,
  sentBy = 'Bearer s',
): Promise<void> {
  const refuse = faulty(parseFault(`${fault}@100%`), 'always');
  const end = emulator.intercept((exchange, next, world) =>
    (exchange.headers['authorization'] ?? '').startsWith(sentBy) ? refuse(exchange, next, world) : next(),
  );
  await pause(draw.within(2_000, 7_000), signal);
  end();
}
