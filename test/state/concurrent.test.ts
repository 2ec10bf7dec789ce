import { describe, expect, test } from 'vitest';
import { killedStack } from '../support/killed-stack.ts';
import { notBuilt } from '../support/processes.ts';

// `npm run test:kills` asks for two hundred.
const rounds = Number(process.env['SLUICE_ROUNDS'] ?? 20);

describe.skipIf(notBuilt !== '')(`several applies of one stack at once${notBuilt}`, () => {
  test(
    `one goes on, and the others end with 5 and name it (${rounds} rounds)`,
    { timeout: 60_000 + rounds * 20_000 },
    async () => {
      const stack = await killedStack();
      const { emulator, apply } = stack;
      let crowd = 2;
      let ended = 0;
      // The first to write stays at it until all others have ended, so that they all meet its lock.
      emulator.intercept(async ({ method }, next) => {
        if (method !== 'GET') await until(() => ended >= crowd - 1);
        return next();
      });
      for (let round = 0; round < rounds; round++) {
        crowd = round % 5 === 4 ? 10 : 2;
        ended = 0;
        await stack.write(manifest(round));
        const ends = await Promise.all(
          Array.from({ length: crowd }, async () => {
            const end = await apply().ended;
            ended += 1;
            return end;
          }),
        );
        expect(ends.map(({ code }) => code).sort()).toEqual([0, ...Array.from({ length: crowd - 1 }, () => 5)]);
        for (const { code, err } of ends)
          if (code === 5) expect(err).toMatch(/`sluice apply` of \S+ on \S+ \(process \d+, since .*\) is at work/);
        await stack.mustBeWhole();
      }
      ended = crowd;
      await stack.mustConverge([`ReservedAddr/a${rounds - 1}`]);
    },
  );
});

function manifest(round: number): string {
  return `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a${round}}\nlifecycle: {protect: false}\nspec: {region: eu}\n`;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}
