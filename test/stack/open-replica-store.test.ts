import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { libraryContext } from '../../src/stack/library-context.ts';
import { openReplicaStore } from '../../src/stack/open-replica-store.ts';
import { directory } from '../cli/terminal.ts';
import { startS3, type S3Faults, type S3Server } from '../support/s3-server.ts';
import { s3Bucket, s3Keys } from '../support/s3-services.ts';

const env = { AWS_ACCESS_KEY_ID: s3Keys.accessKeyId, AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey };

/** The store that a file of the replicas names, in a bucket with these faults. */
async function opened(faults: S3Faults, more = '', lease = '') {
  const server: S3Server = await startS3(faults);
  onTestFinished(server.stop);
  const text = `version: 1\n${more}state: {s3: {bucket: ${s3Bucket}, region: us-east-1, endpoint: "${server.endpoint}"}${lease}}\n`;
  const dir = await directory({ 'replicas.yaml': text });
  const open = () => openReplicaStore(libraryContext({ dir, env }), dir, join(dir, 'replicas.yaml'));
  return { server, open };
}

test('the store of the replicas is connected and probed when it is prepared, and not before', async () => {
  const { server, open } = await opened({});
  const { store, timing } = await open();
  expect(server.log).toEqual([]);
  await store.prepare();
  onTestFinished(store.close);
  expect([...server.objects.keys()].join()).toMatch(/fleet.*probe$/);
  expect(timing.heartbeatMs).toBeGreaterThan(0);
});

test('replicas with the same name share the objects, and those of another fleet have their own', async () => {
  const names = await Promise.all(
    ['', 'fleet: production\n'].map(async (more) => {
      const { server, open } = await opened({}, more);
      const { store } = await open();
      onTestFinished(store.close);
      await store.prepare();
      return [...server.objects.keys()].join();
    }),
  );
  expect(names).toEqual([
    expect.stringContaining('fleet-fleet/') as string,
    expect.stringContaining('fleet-production/') as string,
  ]);
});

test('a bucket that does not check conditions is refused, since two replicas would have one stack', async () => {
  const { open } = await opened({ ignoresConditions: true });
  const { store } = await open();
  onTestFinished(store.close);
  await expect(store.prepare()).rejects.toMatchObject({ code: 'STORE_CANNOT_SWAP' });
});

test('a lease that is unsafe, and a file that names no store, are refused before anything is connected', async () => {
  const { server, open } = await opened({}, '', ', lease: {duration: 10s, heartbeat: 10s}');
  await expect(open()).rejects.toThrow(/^--replicas: state\.lease is unsafe: /);
  const dir = await directory({ 'replicas.yaml': 'version: 1\nstate: {}\n' });
  const context = libraryContext({ dir, env });
  await expect(openReplicaStore(context, dir, join(dir, 'replicas.yaml'))).rejects.toThrow(
    'must have `postgres` or `s3`, but not both',
  );
  expect(server.log).toEqual([]);
});

test('authorities inside the directory of the fleet are refused, because a commit could send the credentials elsewhere', async () => {
  const text = `version: 1\nstate: {s3: {bucket: ${s3Bucket}, region: us-east-1}}\n`;
  const cwd = await directory({ 'replicas.yaml': text, 'fleet/ca.pem': '' });
  const context = libraryContext({ dir: cwd, env: { ...env, SLUICE_CA_FILE: join(cwd, 'fleet/ca.pem') } });
  await expect(openReplicaStore(context, join(cwd, 'fleet'), join(cwd, 'replicas.yaml'))).rejects.toThrow(
    /^SLUICE_CA_FILE: .*ca\.pem is inside the repository of the stack$/,
  );
});
