import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { marked } from '../../support/killed-stack.ts';
import { startPostgres, withoutPostgres } from '../../support/postgres-server.ts';
import { notBuilt } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { notAsked } from './describe-services.ts';
import { addresses, runnersOf } from './runners.ts';
import { databaseAt } from './state-services.ts';

const skipped = withoutPostgres + notBuilt + notAsked;

describe.skipIf(skipped !== '')(`a database that turns read-only during a run${skipped}`, () => {
  test('holds the run up until it takes writes again', async () => {
    const server = await startPostgres();
    onTestFinished(server.stop);
    const { emulator, write, run } = await runnersOf(databaseAt(server, server.port), 1);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await write(addresses(...names));
    const become = async (setting: string): Promise<void> => {
      await server.run(`SET TRANSACTION READ WRITE; ALTER DATABASE postgres ${setting}`);
      await server.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sluice'`);
    };
    let creations = 0;
    let isReadOnly = false;
    emulator.intercept(async ({ method }, next) => {
      const answer = await next();
      if (method === 'POST' && ++creations === 2) {
        await become('SET default_transaction_read_only = on');
        isReadOnly = true;
      }
      return answer;
    });
    const running = run(0, ['apply', '--auto-approve', '--parallelism', '1']);
    await until(() => isReadOnly);
    await pause(3_000);
    expect(creations).toBeLessThan(names.length);
    await become('RESET default_transaction_read_only');
    expect(await running.ended).toMatchObject({ code: 0 });
    expect(marked(emulator)).toEqual(names.map((name) => `ReservedAddr/${name}`));
  });
});
