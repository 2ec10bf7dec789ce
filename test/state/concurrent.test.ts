import { describe, expect, test } from 'vitest';
import { killedStack } from '../support/killed-stack.ts';
import { notBuilt } from '../support/processes.ts';
import { sampleSize } from '../support/samples.ts';

// `npm run test:kills` asks for two hundred.
const rounds = Number(process.env['SLUICE_ROUNDS'] ?? sampleSize(3, 20));

describe.skipIf(notBuilt !== '')(`several applies of one stack at once${notBuilt}`, () => {
  test(
    `one goes on, and the others end with 5 and name it (${rounds} rounds)`,
    { timeout: 240_000 + rounds * 20_000 },
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
        crowd = round % 3 === 2 ? 10 : 2;
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
          if (code === 5)
            expect(err).toMatch(/the stack is locked by `sluice apply` of \S+ on \S+ \(process \d+, since /);
        await stack.mustBeWhole();
      }
      ended = crowd;
      await stack.mustConverge([`ReservedAddr/a${rounds - 1}`]);
    },
  );
});

describe.skipIf(notBuilt !== '')(`two stacks on one account${notBuilt}`, () => {
  test('apply at once, have the same names for things, and never touch each other', async () => {
    const ours = await killedStack();
    const theirs = await killedStack({ of: ours, name: 'neighbour', id: '0badcafe' });
    const stacks = [
      { stack: ours, owner: 'company/5c1e7a90' },
      { stack: theirs, owner: 'neighbour/0badcafe' },
    ];
    for (let round = 0; round < sampleSize(3, 6); round++) {
      for (const { stack, owner } of stacks) await stack.write(manifest(round, owner) + manifest(7, owner));
      const ends = await Promise.all(stacks.map(({ stack }) => stack.apply().ended));
      expect(ends.map(({ code }) => code)).toEqual([0, 0]);
      const there = ours.emulator.snapshot().resources.map(({ spec }) => JSON.stringify(spec));
      for (const { owner } of stacks) {
        const mine = there.filter((spec) => spec.includes(owner.split('/')[1] ?? ''));
        expect(mine).toHaveLength(2);
        for (const spec of mine) expect(spec).toContain(`"description":"${owner}"`);
      }
    }
    await ours.write('');
    expect((await ours.run(['apply', '--auto-approve', '--allow-empty']).ended).code).toBe(0);
    expect(ours.emulator.snapshot().resources).toHaveLength(2);
    for (const { spec } of ours.emulator.snapshot().resources) expect(JSON.stringify(spec)).toContain('neighbour');
  });
});

function manifest(round: number, description = ''): string {
  return `---\napiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a${round}}\nlifecycle: {protect: false}\nspec: {region: eu, description: "${description}"}\n`;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}
