/*
 * The database fails over to an asynchronous replica that lacks the last commits. A run that finds the lease free cannot
 * know whether somebody had taken it in what was lost, so it waits as long as such a run may still write.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { marked } from '../../support/killed-stack.ts';
import { startPostgres, withoutReplica } from '../../support/postgres-server.ts';
import { notBuilt } from '../../support/processes.ts';
import { tcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/until.ts';
import { notAsked } from './describe-services.ts';
import { addresses, runnersOf } from './runners.ts';
import { databaseAt } from './state-services.ts';

const skipped = withoutReplica + notBuilt + notAsked;

/** A primary, its replica, the network between them, and the address at which runs find the one that is in use. */
async function replicated() {
  const primary = await startPostgres();
  onTestFinished(primary.stop);
  const between = await tcpProxy(primary.port);
  const replica = await startPostgres({ replicaOf: between.port });
  onTestFinished(replica.stop);
  const front = await tcpProxy(primary.port);
  const position = async (of: typeof primary, what: string): Promise<string> =>
    String((await of.run(`SELECT (${what} - '0/0')::text AS at`))[0]?.['at']);
  return {
    service: databaseAt(primary, front.port),
    /** From now on the replica gets nothing of what is committed. */
    part: async () => {
      const last = await position(primary, 'pg_current_wal_lsn()');
      await until(async () => Number(await position(replica, 'pg_last_wal_replay_lsn()')) >= Number(last));
      between.become('cut');
    },
    useReplica: () => {
      front.become('cut');
      front.target = replica.port;
      front.become('open');
    },
    failOver: async () => {
      front.become('cut');
      await primary.crash();
      await replica.run('SELECT pg_promote()');
      front.target = replica.port;
      front.become('open');
    },
  };
}

describe.skipIf(skipped !== '')(`a replica that lacks the last commits${skipped}`, () => {
  test('is promoted while a run creates: that run stops, and the next one makes nothing twice', async () => {
    const { service, part, failOver } = await replicated();
    const { apply, run, write, emulator } = await runnersOf(service, 2);
    await write(addresses('a', 'b'));
    expect(await apply(0).ended).toMatchObject({ code: 0 });
    await part();

    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
    await write(addresses(...names));
    let creations = 0;
    const hasFailedOver = new Promise<void>((done, failed) => {
      emulator.intercept(async ({ method }, next) => {
        const answer = await next();
        if (method === 'POST' && ++creations === 2) await failOver().then(done, failed);
        return answer;
      });
    });
    const first = apply(0, '--parallelism', '1');
    await hasFailedOver;
    const second = apply(1, '--lock-timeout', '60s');
    expect(await first.ended).toMatchObject({
      code: 6,
      err: expect.stringContaining('it lost the state lock') as string,
    });
    expect(await second.ended).toMatchObject({
      code: 0,
      err: expect.stringContaining(
        'waiting for the lock that an unknown run (the store lost the record of that run) holds',
      ) as string,
    });
    expect(marked(emulator)).toEqual(names.map((name) => `ReservedAddr/${name}`));
    expect(await run(0, ['plan', '--detailed-exitcode']).ended).toMatchObject({ code: 0 });
  });

  test('is promoted after a run that it knows the beginning of: the rest is found by its markers', async () => {
    const { service, part, failOver } = await replicated();
    const { apply, run, write, emulator } = await runnersOf(service, 2);
    const names = ['a', 'b', 'c', 'd', 'e'];
    await write(addresses(...names));
    let isParted = false;
    emulator.intercept(async ({ method }, next) => {
      const answer = await next();
      if (method === 'POST' && !isParted) {
        isParted = true;
        await part();
      }
      return answer;
    });
    expect(await apply(0, '--parallelism', '1').ended).toMatchObject({ code: 0 });
    await failOver();
    expect(await apply(1, '--lock-timeout', '60s').ended).toMatchObject({ code: 0 });
    expect(marked(emulator)).toEqual(names.map((name) => `ReservedAddr/${name}`));
    expect(await run(0, ['plan', '--detailed-exitcode']).ended).toMatchObject({ code: 0 });
  });

  test('is only read while it is no primary', async () => {
    const { service, part, useReplica } = await replicated();
    const { apply, run, write } = await runnersOf(service, 1);
    await write(addresses('a'));
    expect(await apply(0).ended).toMatchObject({ code: 0 });
    await part();
    useReplica();
    expect(await run(0, ['plan', '--detailed-exitcode']).ended).toMatchObject({ code: 0 });
    expect(await apply(0).ended).toMatchObject({ code: 8, err: expect.stringContaining('is read-only') as string });
  });
});
