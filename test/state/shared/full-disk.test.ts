import { describe, expect, onTestFinished, test } from 'vitest';
import { marked } from '../../support/killed-stack.ts';
import { startPostgres, withoutPostgres } from '../../support/postgres-server.ts';
import { notBuilt } from '../../support/processes.ts';
import { smallDisk, withoutSmallDisk } from '../../support/small-disk.ts';
import { until } from '../../support/until.ts';
import { notAsked } from './describe-services.ts';
import { addresses, runnersOf } from './runners.ts';
import { databaseAt } from './state-services.ts';

const skipped = withoutPostgres + withoutSmallDisk + notBuilt + notAsked;
const names = Array.from({ length: 30 }, (_, n) => `a${10 + n}`);
const all = names.map((name) => `ReservedAddr/${name}`);

const fillPages = `DO $$ BEGIN
  FOR n IN 1..100000 LOOP
    INSERT INTO sluice.sluice_objects VALUES ('filler/' || n, 'v', '');
    COMMIT;
  END LOOP;
END $$`;

/** A run whose database has no space left once the second creation was sent. */
async function withFullDisk() {
  const disk = smallDisk(100);
  onTestFinished(disk.remove);
  const server = await startPostgres({ root: disk.path, settings: { max_wal_size: '32MB' } });
  onTestFinished(server.stop);
  const runners = await runnersOf(databaseAt(server), 1);
  const { write, emulator, apply } = runners;
  await write(addresses(...names));
  const creations = (): number => emulator.log.filter(({ method }) => method === 'POST').length;
  let isFull = false;
  emulator.intercept(async ({ method }, next) => {
    const answer = await next();
    if (method === 'POST' && creations() >= 2 && !isFull) {
      isFull = true;
      disk.fill();
      // Pages of the table that have space would take more for a while.
      await server.run(fillPages).catch(() => undefined);
    }
    return answer;
  });
  const running = apply(0, '--parallelism', '1');
  await until(() => isFull);
  return { disk, server, creations, running, ...runners };
}

describe.skipIf(skipped !== '')(`a database whose disk is full${skipped}`, () => {
  test('is unavailable: the run ends with what is not recorded, and the next one makes nothing twice', async () => {
    const { disk, running, apply, run, emulator, creations } = await withFullDisk();
    const { code, out } = await running.ended;
    expect([code, out]).toEqual([
      6,
      expect.stringMatching(/is unavailable: could not extend file .*No space left on device/),
    ]);
    expect(out).toMatch(/not recorded: ReservedAddr\/\w+ \(\w+\)/);
    expect(creations()).toBeLessThan(names.length);
    disk.free();
    expect(await apply(0, '--lock-timeout', '60s').ended).toMatchObject({ code: 0 });
    expect(marked(emulator)).toEqual(all);
    expect(await run(0, ['plan', '--detailed-exitcode']).ended).toMatchObject({ code: 0 });
  });

  test('stops a run until there is space again', async () => {
    const { disk, running, emulator, creations } = await withFullDisk();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(creations()).toBeLessThan(names.length);
    disk.free();
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(marked(emulator)).toEqual(all);
  });
});
