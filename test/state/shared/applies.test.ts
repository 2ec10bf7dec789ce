import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { marked } from '../../support/killed-stack.ts';
import { notBuilt, type ProcessEnd } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { describeServices } from './describe-services.ts';
import { addresses, patientLease, runnersOf } from './runners.ts';

// `npm run test:stores` asks for many.
const asked = process.env['SLUICE_STORE_ROUNDS'];

describeServices('runners that share only', notBuilt, (service, name) => {
  test('take turns: one goes on, the other ends with 5 and names it and its pipeline job', async () => {
    const { apply, run, write, emulator, dir } = await runnersOf(service(), 2, patientLease);
    await write(addresses('a', 'b'));
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    emulator.intercept(async ({ method }, next) => {
      if (method !== 'GET') await held;
      return next();
    });
    const first = run(0, ['apply', '--auto-approve'], { CI_JOB_URL: 'https://ci.example.com/jobs/7' });
    await until(() => emulator.log.some(({ method }) => method === 'GET'));
    const second = await apply(1).ended;
    expect(second.code).toBe(5);
    expect(second.err).toMatch(
      /locked by `sluice apply` of \S+ on \S+ \(process \d+, since \S+, https:\/\/ci.example.com\/jobs\/7\)/,
    );
    release();
    expect((await first.ended).code).toBe(0);
    expect(marked(emulator)).toEqual(['ReservedAddr/a', 'ReservedAddr/b']);
    // The other runner plans from what the first one recorded, and neither keeps anything beside its checkout.
    expect(await run(1, ['plan', '--detailed-exitcode']).ended).toMatchObject({ code: 0 });
    expect((await run(1, ['state', 'list', '-o', 'json']).ended).out).toContain('"ReservedAddr/a"');
    expect(await readdir(dir(0))).not.toContain('.sluice');
  });

  // One store is enough for a short test.
  const rounds = Number(asked ?? (name === 'a database' ? 1 : 0));
  const title = `are killed and stopped at random and never make anything twice (${rounds} rounds)`;

  test.skipIf(rounds === 0)(title, { timeout: 120_000 + rounds * 120_000 }, async () => {
    const { apply, run, write, emulator } = await runnersOf(service(), 10);
    const seed = Number(process.env['SLUICE_SEED'] ?? 1);
    const draw = dice(seed);
    const violations: string[] = [];
    const ends: Record<string, number> = {};
    // Slow enough that signals hit requests that are under way.
    emulator.intercept(async ({ method }, next) => {
      if (method !== 'GET') await pause(100);
      const answer = await next();
      if (method === 'POST') violations.push(...twice(marked(emulator)));
      return answer;
    });
    for (let round = 0; round < rounds; round++) {
      const names = [`r${round}a`, `r${round}b`, `r${round}c`, `r${round}d`];
      await write(addresses(...names));
      const crowd = round % 5 === 4 ? 10 : 2;
      const running = Array.from({ length: crowd }, (_, n) =>
        apply(n, ...(draw(2) === 0 ? ['--lock-timeout', '60s'] : [])),
      );
      const signals = running.map(async ({ child }, n) => {
        await pause(500 + draw(1_500));
        // Beyond the lease duration, or for good.
        if (n % 2 === round % 2) child.kill('SIGKILL');
        else if (child.kill('SIGSTOP')) await pause(5_500 + draw(2_000)).then(() => child.kill('SIGCONT'));
      });
      await Promise.all(signals);
      for (const { ended } of running) {
        const { code, err } = await ended;
        ends[String(code)] = (ends[String(code)] ?? 0) + 1;
        // A busy machine may let the store seem unavailable.
        const isExpected = [0, 5, 6, 'SIGKILL'].includes(code ?? '') || err.includes('is unavailable: ');
        if (!isExpected) violations.push(`exit ${code}: ${err}`);
      }
      violations.push(...twice(marked(emulator)));
      const last = await again(() => apply(0, '--lock-timeout', '60s').ended);
      expect(last, last.err).toMatchObject({ code: 0 });
      expect(await again(() => run(1, ['plan', '--detailed-exitcode']).ended)).toMatchObject({ code: 0 });
      expect(marked(emulator)).toEqual(names.map((name) => `ReservedAddr/${name}`));
      if (round === rounds - 1 || round % 10 === 9)
        process.stderr.write(
          `${name}: seed ${seed}, ${round + 1} rounds, ${violations.length} violations, ends ${JSON.stringify(ends)}\n`,
        );
    }
    expect(violations).toEqual([]);
  });
});

function twice(addresses: readonly string[]): string[] {
  return addresses.filter((address, n) => addresses.indexOf(address) !== n);
}

function dice(seed: number): (sides: number) => number {
  let state = seed + 1;
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % sides;
  };
}

/** A pipeline runs again where a busy machine has let the store seem unavailable: that writes nothing, and decides nothing. */
async function again(run: () => Promise<ProcessEnd>): Promise<ProcessEnd> {
  for (let tries = 1; ; tries++) {
    const ended = await run();
    if (tries === 5 || !`${ended.out}${ended.err}`.includes('unavailable')) return ended;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
