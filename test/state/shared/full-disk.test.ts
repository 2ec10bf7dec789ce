import { describe, expect, onTestFinished, test } from 'vitest';
import { marked } from '../../support/killed-stack.ts';
import { startPostgres, withoutPostgres } from '../../support/postgres-server.ts';
import { notBuilt } from '../../support/processes.ts';
import { smallDisk, withoutSmallDisk } from '../../support/small-disk.ts';
import { until } from '../../support/until.ts';
import { notAsked } from './describe-services.ts';
import { addresses, longLease, runnersOf, shortLease } from './runners.ts';
import { databaseAt } from './state-services.ts';

const skipped = withoutPostgres + withoutSmallDisk + notBuilt + notAsked;
const names = Array.from({ length: 30 }, (_, n) => `a${10 + n}`);
const all = names.map((name) => `ReservedAddr/${name}`);

// What has space left inside of files would take more for a while.
const fillFiles = {
  root: `DO $$ BEGIN
  FOR n IN 1..100000 LOOP
    INSERT INTO sluice.sluice_objects VALUES ('filler/' || n, 'v', '');
    COMMIT;
  END LOOP;
END $$`,
  logRoot: `SELECT count(pg_logical_emit_message(false, 'filler', repeat('x', 1000000))) FROM generate_series(1, 200)`,
};

/** A run whose database has no space left, for its files or for its write-ahead log, once the second creation was sent. */
async function withFullDisk(holds: keyof typeof fillFiles = 'root', lease = shortLease) {
  const disk = smallDisk(100);
  onTestFinished(disk.remove);
  const server = await startPostgres({ [holds]: disk.path, settings: { max_wal_size: '32MB' } });
  onTestFinished(server.stop);
  const runners = await runnersOf(databaseAt(server), 1, lease);
  const { write, emulator, apply } = runners;
  await write(addresses(...names));
  const creations = (): number => emulator.log.filter(({ method }) => method === 'POST').length;
  let filled: Promise<unknown> | undefined;
  emulator.intercept(async ({ method }, next) => {
    const answer = await next();
    if (method === 'POST' && creations() >= 2 && filled === undefined) {
      disk.fill();
      filled = server.run(fillFiles[holds]).catch((error: unknown) => error);
      await filled;
    }
    return answer;
  });
  const running = apply(0, '--parallelism', '1');
  await until(() => filled !== undefined);
  expect(await filled).toBeInstanceOf(Error);
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
    expect(out).toMatch(/resources not recorded in the state: ReservedAddr\/\w+ \(\w+\)/);
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

  // The server ends in the middle of a commit, and starts only once there is space.
  test('for its write-ahead log stops a run until it has started again', async () => {
    const { disk, server, running, run, emulator, creations } = await withFullDisk('logRoot', longLease);
    expect(creations()).toBeLessThan(names.length);
    disk.free();
    await server.crash();
    await server.restart();
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(marked(emulator)).toEqual(all);
    expect(await run(0, ['plan', '--detailed-exitcode']).ended).toMatchObject({ code: 0 });
  });
});
