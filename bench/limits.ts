import type { Line } from './line.ts';
import { limitedRun, type LimitedService } from '../test/support/limited-run.ts';
import { concurrency } from '../src/emulator/faults/concurrency.ts';
import { faulty, parseFault } from '../src/emulator/faults/fault.ts';
import { quota } from '../src/emulator/faults/quota.ts';
import { tokenBucket } from '../src/emulator/faults/token-bucket.ts';

const byChance = (share: number): LimitedService => ({
  limit: (seed) => faulty(parseFault(`rate-limited=1@${share}%`), seed),
  requests: 1_000,
});

const services: Readonly<Record<string, LimitedService>> = {
  '429 to 1 % at random': byChance(1),
  '429 to 5 % at random': byChance(5),
  '429 to 20 % at random': byChance(20),
  'token bucket of 20, 10 per second': {
    limit: (_, now) => tokenBucket({ burst: 20, requests: 10, seconds: 1 }, now),
    requests: 1_000,
  },
  '120 in any 60 s': { limit: (_, now) => quota({ requests: 120, seconds: 60 }, now), requests: 1_200 },
  '5 in flight': { limit: () => concurrency(5), requests: 1_000 },
};

/** How long requests to a service that limits them take, beside waiting as asked and repeating, on a virtual clock. */
export async function limits(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [what, service] of Object.entries(services)) {
    const load = { roundTripMs: 20, seed: 1 };
    const plain = await limitedRun(service, { ...load, isLimited: false });
    const ours = await limitedRun(service, { ...load, isLimited: true });
    const from = `of ${service.requests}, ${ours.refused} refused / ${plain.refused}`;
    lines.push({ what: `${what}: wall / waiting as asked`, figure: ours.ms / plain.ms, most: 1.3, from });
  }
  return lines;
}
