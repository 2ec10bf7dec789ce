import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../src/api/api-errors.ts';
import { createClient, type Client } from '../src/api/client.ts';
import { wallClock } from '../src/api/clock.ts';
import { openConnections, type Connections } from '../src/api/connection/network.ts';
import { createLimiter } from '../src/api/rate/limiter.ts';
import { createRetry } from '../src/api/retry.ts';
import type { Line } from './line.ts';
import { benchStack } from './stack.ts';

const latencyMs = 100;

/** A limit as flags of the emulator, and how many requests are sent to it over so many connections. */
interface LimitedService {
  readonly what: string;
  readonly flags: readonly string[];
  readonly requests: (connections: number) => number;
}

const byChance = (share: number): LimitedService => ({
  what: `429 to ${share} % at random`,
  flags: ['--fault', `rate-limited=1@${share}%`],
  requests: (connections) => 20 * connections,
});

const services: readonly LimitedService[] = [
  byChance(1),
  byChance(5),
  byChance(20),
  {
    what: 'token bucket of 20, 40 per second',
    flags: ['--rate-limit', '40/1s', '--burst', '20'],
    requests: () => 240,
  },
  { what: '30 in any second', flags: ['--rate-limit', '30/1s'], requests: () => 300 },
  { what: '5 in flight', flags: ['--concurrency-limit', '5'], requests: () => 240 },
];

/** What a load has cost. */
interface Cost {
  readonly ms: number;
  readonly refused: number;
}

/** How long requests to a service that limits them take, beside waiting as asked and retrying, over HTTP. */
export async function limits(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const connections of [10, 50]) {
    for (const service of services) {
      const plain = await cost(service, connections, waitingAsAsked);
      const ours = await cost(service, connections, limited);
      lines.push({
        what: `${service.what}, ${connections} connections: wall / waiting as asked`,
        figure: ours.ms / plain.ms,
        most: 1.3,
        from: `${ours.ms.toFixed(0)} ms / ${plain.ms.toFixed(0)} ms, of ${service.requests(connections)}, ${ours.refused} refused / ${plain.refused}`,
      });
    }
  }
  return lines;
}

/** Sends all requests of a load to an emulator that nothing was sent to before. */
async function cost(
  { flags, requests }: LimitedService,
  connections: number,
  reading: (url: string, connections: Connections, refused: () => void) => () => Promise<unknown>,
): Promise<Cost> {
  const stack = await benchStack('--seed', 'limits', '--latency', String(latencyMs), ...flags);
  const network = openConnections({ proxy: { env: {} } }, { connections });
  try {
    let [left, refused] = [requests(connections), 0];
    const read = reading(stack.url, network, () => (refused += 1));
    const begun = performance.now();
    const worker = async (): Promise<void> => {
      for (; left > 0;) {
        left -= 1;
        await read();
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return { ms: performance.now() - begun, refused };
  } finally {
    await network.close();
    await stack.end();
  }
}

function waitingAsAsked(url: string, network: Connections, refused: () => void): () => Promise<unknown> {
  const client = createClient(settings(url, network));
  return async () => {
    for (;;) {
      try {
        return await client.get('/reserved_addrs');
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429) throw error;
        refused();
        await sleep(error.retryAfter ?? 1_000);
      }
    }
  };
}

function limited(url: string, network: Connections, refused: () => void): () => Promise<unknown> {
  const limiter = createLimiter(undefined, wallClock);
  const repeat = createRetry({ clock: wallClock, heldBackMs: limiter.waitMs, onRetry: refused });
  const client: Client = createClient({ ...settings(url, network), limiter, repeat });
  return () => client.get('/reserved_addrs');
}

function settings(url: string, { dispatcher }: Connections): Parameters<typeof createClient>[0] {
  return { baseUrl: url, vendor: 'example', key: () => 'bench', userAgent: 'sluice-bench', dispatcher };
}
