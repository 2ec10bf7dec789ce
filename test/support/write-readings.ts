import type { Emulator } from '../../src/emulator/emulator.ts';
import type { Seen } from './front-door.ts';

/** Readings of an account: one at the start, and one after every write. */
export interface WriteReadings {
  readonly readings: readonly (readonly Seen[])[];
  readonly writes: readonly string[];
  /** Stops reading. */
  readonly stop: () => void;
}

/**
 * From here on lets writes through one at a time and reads the account after each. Of the writes that are under way at
 * once, which goes first is drawn, so that every order a client leaves open is met sooner or later.
 */
export function readAfterEachWrite(emulator: Emulator, seed: number): WriteReadings {
  const readings: (readonly Seen[])[] = [emulator.snapshot().resources];
  const writes: string[] = [];
  const waiting: (() => Promise<void>)[] = [];
  let busy = false;
  let drawn = seed;

  const stop = emulator.intercept(async ({ method, path }, next) => {
    if (method === 'GET') return next();
    return new Promise((answer, fail) => {
      waiting.push(async () => {
        try {
          const answered = await next();
          writes.push(`${method} ${path} ${answered.status}`);
          readings.push(emulator.snapshot().resources);
          answer(answered);
        } catch (error) {
          fail(error instanceof Error ? error : new Error(String(error)));
        }
      });
      if (!busy) void go();
    });
  });

  async function go(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      await new Promise((ready) => setImmediate(ready));
      drawn = (drawn * 1_103_515_245 + 12_345) % 2_147_483_648;
      const [write] = waiting.splice(drawn % waiting.length, 1);
      await write?.();
    }
    busy = false;
  }

  return { readings, writes, stop };
}
