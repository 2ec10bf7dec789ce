/*
 * Many faults at once, anywhere: generated stacks walk from one form to another and back, and where they arrive is where
 * they arrive without a fault.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { DesiredStack } from '../../src/model/resource.ts';
import type { State } from '../../src/model/state.ts';
import { asScenario, edited, files } from '../laws/cases.ts';
import { mustHold } from '../support/law.ts';
import { loadText } from '../support/load-text.ts';
import { sampleSize } from '../support/samples.ts';
import { seeded } from './chance.ts';
import { formsOf, type Forms } from './forms.ts';
import { oneRun } from './one-run.ts';
import { emulatorFor } from './prepare.ts';
import { simulatedTime } from './simulated-time.ts';

const server = { profile: 'completed', edgeEndpoints: 'shown', hostports: 'unique' } as const;
const modes = [
  'reset-before',
  'reset-after',
  'status-after=503',
  'cut=5',
  'stall-after',
  'rate-limited=1',
  'empty',
  'item-skipped',
];
const mostRuns = 8;

describe('a walk through faults arrives where a quiet one does', () => {
  test('from one stack to the next and back', async () => {
    await mustHold({
      on: fc.record({
        stacks: edited(server.profile, { maxEdits: 4 }),
        seed: fc.nat({ max: 1_000_000 }),
        faults: fc.uniqueArray(fc.constantFrom(...modes), { minLength: 1, maxLength: 3 }),
      }),
      runs: sampleSize(10, 60),
      scenario: ({ stacks: { before, after } }) => asScenario(server.profile, before, after, before),
      holds: async ({ stacks: { before, after }, seed, faults }) => {
        const way: DesiredStack[] = [];
        for (const items of [before, after, before])
          way.push(await loadText(files(items), { kinds, profile: server.profile }));
        const quiet = await walk(way, seed, []);
        expect(await walk(way, seed, faults)).toEqual(quiet);
      },
    });
  });
});

/** Where each stage of a way leads, as far as it can be distinguished from where it should. */
async function walk(way: readonly DesiredStack[], seed: number, faults: readonly string[]): Promise<Forms[]> {
  const chance = seeded(seed);
  const time = simulatedTime(chance);
  try {
    const emulator = emulatorFor(server, 'key-of-the-walks');
    const memory: { state: State | undefined; saves: number } = { state: undefined, saves: 0 };
    const within = { emulator, profile: server.profile, key: 'key-of-the-walks', clock: time.clock, chance, memory };
    const stages: Forms[] = [];
    for (const desired of way) {
      const calm = faults.map((fault) => emulator.intercept(faulty(parseFault(`${fault}@8%`), seed)));
      await time.run(() => oneRun(desired, { ...within, planted: {} }));
      for (const end of calm) end();
      let runs = 0;
      for (let before = ''; runs < mostRuns && before !== written(emulator.log); runs++) {
        before = written(emulator.log);
        const { error, outcome } = await time.run(() => oneRun(desired, { ...within, planted: {} }));
        if (error !== undefined || outcome?.changes.some(({ ending }) => ending !== 'done') === true) before = '';
      }
      expect(runs).toBeLessThanOrEqual(4);
      stages.push(formsOf(emulator.snapshot().resources));
    }
    return stages;
  } finally {
    time.end();
  }
}

function written(log: readonly { readonly method: string }[]): string {
  return `${log.filter(({ method }) => method !== 'GET').length} writes`;
}
