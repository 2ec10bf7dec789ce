import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { directory } from '../../cli/terminal.ts';
import { startPostgres, withoutPostgres } from '../../support/postgres-server.ts';
import { until } from '../../support/until.ts';
import { startReplicas, type ReplicaInTest } from './start-replicas.ts';

const unavailable =
  'warn replica: the shared store of the replicas (--replicas) is unavailable, this replica keeps the stacks that it has: ';
const again = 'info replica: the shared store of the replicas (--replicas) is available again';

test.skipIf(withoutPostgres !== '')(
  `a replica that starts while its database is stopped waits until the database is back, and then takes its stacks${withoutPostgres}`,
  async () => {
    const { stackFiles, start } = await startReplicas();
    const database = await startPostgres();
    onTestFinished(database.stop);
    await database.crash();
    const variables = { SLUICE_STATE_URL: database.url };
    const replica = await start(
      await directory(stackFiles('a', 'a', '0000000a')),
      await fileOfDatabase(),
      {},
      variables,
    );
    await until(() => replica.log().includes(unavailable));
    await until(
      async () => (await probe(replica, 'readyz')) === '503 waiting for the shared store of the replicas (--replicas)',
    );
    expect(await probe(replica, 'healthz')).toBe('200 ok');
    expect(await replica.leads()).toEqual([]);

    await database.restart();
    await until(async () => (await replica.leads()).length === 1);
    expect(await probe(replica, 'readyz')).toBe('200 ok');
    expect(replica.log().split(unavailable)).toHaveLength(2);
    expect(replica.log().split(again)).toHaveLength(2);
  },
);

test.skipIf(withoutPostgres !== '')(
  `a replica with a wrong password for its database ends with the error${withoutPostgres}`,
  async () => {
    const { start } = await startReplicas();
    const database = await startPostgres();
    onTestFinished(database.stop);
    const variables = { SLUICE_STATE_URL: database.urlOf('sluice', 'wrong') };
    const started = start(await directory(), await fileOfDatabase(), {}, variables);
    await expect(started.then(({ ended }) => ended)).rejects.toMatchObject({ code: 'STORE_ACCESS_DENIED' });
  },
);

test('a replica that waited for its store ends with the error if the store then refuses the credentials', async () => {
  const { store, start } = await startReplicas();
  store.faults.answers = { status: 503, code: 'SlowDown' };
  const replica = await start(await directory());
  await until(() => replica.log().includes(unavailable));
  store.faults.answers = { status: 403, code: 'SignatureDoesNotMatch' };
  await expect(replica.ended).rejects.toMatchObject({ code: 'STORE_ACCESS_DENIED' });
  expect(replica.log()).not.toContain(again);
});

test('a replica that has joined stays when its store refuses the credentials later', async () => {
  const { store, start } = await startReplicas();
  const replica = await start(await directory());
  await until(async () => (await probe(replica, 'readyz')) === '200 ok');
  store.faults.answers = { status: 403, code: 'SignatureDoesNotMatch' };
  await until(() => replica.log().includes(unavailable));
  delete store.faults.answers;
  await until(() => replica.log().includes(again));
  await replica.stop();
});

test('a replica that waits for its store can be stopped', async () => {
  const { store, start } = await startReplicas();
  store.faults.answers = { status: 503, code: 'SlowDown' };
  const replica = await start(await directory());
  await until(() => replica.log().includes(unavailable));
  await replica.stop();
  expect(replica.log()).toContain('info ended: stopped');
});

async function probe({ url }: ReplicaInTest, path: 'healthz' | 'readyz'): Promise<string> {
  const answer = await fetch(`${url}/${path}`);
  return `${String(answer.status)} ${(await answer.text()).trim()}`;
}

/** A file for `--replicas` that names the database of `SLUICE_STATE_URL`. */
async function fileOfDatabase(): Promise<string> {
  const state = 'state: {postgres: {url: {from_env: SLUICE_STATE_URL}}, lease: {heartbeat: 1s}}';
  return join(await directory({ 'replicas.yaml': `version: 1\n${state}\n` }), 'replicas.yaml');
}
