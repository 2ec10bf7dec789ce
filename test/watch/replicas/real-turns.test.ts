import { describe, expect, test } from 'vitest';
import { cloneForReplicas } from './real-checkouts.ts';
import { realWork } from './real-work.ts';
import { simulateFleet } from './simulation.ts';

// `SLUICE_REAL_TURNS=20` asks for it: a simulation takes several seconds of a processor.
const count = Number(process.env['SLUICE_REAL_TURNS'] ?? 0);
const first = Number(process.env['SLUICE_SEED'] ?? 1);

// The seed decides the faults and when requests arrive. What is done at the same moment may end in another order the next time: files and git are real.
describe.runIf(count > 0)('three replicas with real turns, in a simulation', () => {
  test(`divide twelve stacks, whatever happens to them (${String(count)} times)`, { timeout: 3_600_000 }, async () => {
    const checkouts = await cloneForReplicas();
    for (let seed = first; seed < first + count; seed++) {
      const { violations, handovers, events, requests, refused } = await simulateFleet(seed, {}, realWork(checkouts));
      process.stderr.write(
        `real turns, seed ${String(seed)}: ${String(events)} events, ${String(handovers)} handovers, ${String(requests)} writes, ${String(refused)} refused\n`,
      );
      expect.soft(violations, `seed ${String(seed)}`).toEqual([]);
      expect.soft(handovers).toBeGreaterThan(20);
    }
  });

  test('apply an older revision if they do not ask which one was applied', { timeout: 600_000 }, async () => {
    const checkouts = await cloneForReplicas();
    const plant = { ignoresRevision: true } as const;
    for (let seed = 1; seed <= 5; seed++)
      if ((await simulateFleet(seed, plant, realWork(checkouts, plant))).violations.length > 0) return;
    expect.unreachable('5 simulations have found nothing');
  });
});
