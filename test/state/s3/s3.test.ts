import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { beginRun } from '../../../src/state/run-records.ts';
import { probeStore } from '../../../src/state/remote/probe-store.ts';
import { s3Address } from '../../../src/state/s3/s3-address.ts';
import { s3Store } from '../../../src/state/s3/s3-store.ts';
import { startS3, type S3Faults, type S3Server } from '../../support/s3-server.ts';
import { stoppedNetwork } from '../../support/stopped-thread.ts';
import { s3Bucket, s3Keys, s3Programs } from '../../support/s3-services.ts';
import { describeBackend } from '../backend-contract.ts';
import { backendOver, probed } from '../remote/backends.ts';

let stacks = 0;
const noChanges = {
  ...{ interrupted: false, requests: 0, done: {} },
  endings: { done: 0, failed: 0, unknown: 0, skipped: 0, 'not-started': 0 },
};
const bytes = (text: string): Uint8Array => Buffer.from(text);

function storeAt(endpoint: string, stack = `stack${++stacks}`, keys = s3Keys, bucket = s3Bucket): RemoteStore {
  const address = s3Address({ bucket, prefix: 'teams/sluice', region: 'us-east-1', endpoint }, stack, keys);
  const store = s3Store({ address, deadlineMs: 2_000 });
  onTestFinished(() => store.close());
  return store;
}

async function startedS3(faults: S3Faults): Promise<S3Server> {
  const server = await startS3(faults);
  onTestFinished(() => server.stop());
  return server;
}

async function failedSteps(store: RemoteStore): Promise<readonly string[]> {
  return (await probeStore(store)).filter(({ ok }) => !ok).map(({ step }) => step);
}

describe('a bucket', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3();
  });
  afterAll(() => server.stop());

  describeBackend('a bucket', () => {
    const stack = `contract${++stacks}`;
    return Promise.resolve({ another: async () => backendOver(await probed(storeAt(server.endpoint, stack))) });
  });

  test('passes the probe, which leaves nothing behind', async () => {
    const store = storeAt(server.endpoint);
    expect(await failedSteps(store)).toEqual([]);
    expect(await store.list('')).toEqual([]);
  });

  test('lists more than one answer holds, of one stack alone', async () => {
    const [one, other] = [storeAt(server.endpoint, 'aaaa'), storeAt(server.endpoint, 'aaaab')];
    const names = Array.from({ length: 12 }, (_, n) => `journal/${n + 10}-1`);
    for (const name of names) await one.swap(name, undefined, bytes(name));
    await other.swap('journal/1-1', undefined, bytes('x'));
    expect(await one.list('journal/')).toEqual(names);
    await one.remove(names);
    expect(await one.list('')).toEqual([]);
    expect(await other.list('')).toEqual(['journal/1-1']);
  });

  test('has a name that a URL takes for an object of another stack: it is not listed, and the object is not removed', async () => {
    const [own, other] = [storeAt(server.endpoint, 'own'), storeAt(server.endpoint, 'other')];
    await other.swap('state', undefined, bytes('state of another stack'));
    for (const name of ['runs/../../other/state', 'runs/./1', 'runs//1', 'runs/%2e%2e/1', 'runs/\u001b[2J'])
      server.objects.set(`teams/sluice/own/${name}`, { bytes: Buffer.from('x'), etag: '"x"' });
    const planned = { planned: {}, possible: { ...noChanges, changes: [], omitted: 0 } };
    const end = await beginRun(own, Date.now, planned, { command: 'apply', owner: 'ada', host: 'runner', fence: 1 });
    await end(planned.possible);
    expect((await other.read('state'))?.bytes.toString()).toBe('state of another stack');
    expect(await own.list('')).toEqual([expect.stringMatching(/^runs\/\d{8}T\d{9}Z\.1$/)]);
  });
});

describe('a service like S3 is refused by the probe if', () => {
  test.each<readonly [string, S3Faults, string]>([
    ['it ignores conditions', { ignoresConditions: true }, 'the store refuses to create an object that already exists'],
    [
      'two of a race win',
      { gapMs: 5 },
      'the store accepts exactly one of 12 concurrent writes of an object (20 tests)',
    ],
  ])('%s', async (_, faults, step) => {
    const { endpoint } = await startedS3(faults);
    expect(await failedSteps(storeAt(endpoint))).toEqual([step]);
  });

  test('it has no conditional writes, which it says', async () => {
    const { endpoint, faults } = await startedS3({});
    faults.answers = { status: 501, code: 'NotImplemented' };
    await expect(probeStore(storeAt(endpoint))).rejects.toMatchObject({ code: 'STORE_CANNOT_SWAP' });
  });
});

test('an answer of 409 is repeated, and decides nothing', async () => {
  const { endpoint } = await startedS3({ conflicts: 40 });
  expect(await failedSteps(storeAt(endpoint))).toEqual([]);
});

test('a lease whose object was deleted is refused, where the service can neither read nor create it', async () => {
  const { endpoint } = await startedS3({ hasDeleteMarkers: true });
  const store = await probed(storeAt(endpoint));
  await store.swap('lease', undefined, bytes('{}'));
  await store.remove(['lease']);
  await expect(backendOver(store).acquireLock('sluice apply')).rejects.toMatchObject({ code: 'STORE_CANNOT_SWAP' });
});

test('a run ends well although answers are lost', async () => {
  const { endpoint, faults } = await startedS3({});
  const backend = backendOver(await probed(storeAt(endpoint)));
  faults.lostAnswers = 30;
  for (let runs = 0; runs < 3; runs++) {
    const lock = await backend.acquireLock('sluice apply');
    expect(lock.isMine()).toBe(true);
    await lock.release();
  }
  expect(await backend.lockHolder()).toBeUndefined();
});

test('an answer that arrived while the process was stopped for longer than the deadline is taken', async () => {
  const { endpoint } = await startedS3({});
  const network = await stoppedNetwork(Number(new URL(endpoint).port));
  const store = storeAt(`http://127.0.0.1:${network.port}`);
  await store.read('state');
  const swapped = store.swap('state', undefined, bytes('one'));
  await network.stopThroughAnswer(3_100);
  expect(await swapped).toMatchObject({ is: 'done' });
});

test.each<readonly [string, number, string, string]>([
  ['refused credentials', 403, 'AccessDenied', 'STORE_ACCESS_DENIED'],
  ['a bucket that does not exist', 404, 'NoSuchBucket', 'STORE_NOT_FOUND'],
  ['another region', 400, 'AuthorizationHeaderMalformed', 'STORE_REQUEST_REFUSED'],
  ['an outage', 503, 'SlowDown', 'STORE_UNAVAILABLE'],
])('%s is an error, and never an absent object', async (_, status, code, expected) => {
  const { endpoint } = await startedS3({ answers: { status, code } });
  const store = storeAt(endpoint);
  await expect(store.read('state')).rejects.toMatchObject({ code: expected });
  await expect(store.list('')).rejects.toMatchObject({ code: expected });
  const swap = store.swap('state', undefined, bytes('x'));
  await (status === 503
    ? expect(swap).resolves.toMatchObject({ is: 'unknown' })
    : expect(swap).rejects.toMatchObject({ code: expected }));
});

test('a service that begins every listing anew is not asked for ever', async () => {
  const text =
    '<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>of-some-stack/and-long-enough/whatever-the-prefix/runs/1</Key></Contents></ListBucketResult>';
  const { endpoint } = await startedS3({ answers: { status: 200, text } });
  expect(await storeAt(endpoint).list('')).toHaveLength(1);
});

describe.each([
  ['a plain text', '404 page not found'],
  ['a page', '<html><title>404 Not Found</title></html>'],
  ['nothing', ''],
  ['another error of S3', '<Error><Code>NoSuchUpload</Code></Error>'],
])('a 404 with %s, as from a proxy,', (_, text) => {
  test('is an outage, and never an absent object', async () => {
    const { endpoint } = await startedS3({ answers: { status: 404, text } });
    const store = storeAt(endpoint);
    await expect(store.read('state')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(store.list('')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(store.remove(['state'])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test.each([undefined, '"v1"'])('does not say what came of a write that expects %s', async (expected) => {
    const { endpoint } = await startedS3({ answers: { status: 404, text } });
    const swapped = await storeAt(endpoint).swap('state', expected, bytes('x'));
    expect(swapped).toMatchObject({ is: 'unknown', cause: { code: 'STORE_UNAVAILABLE' } });
  });
});

test('an object that is gone is in conflict with a write that expects it', async () => {
  const { endpoint } = await startedS3({});
  const store = storeAt(endpoint);
  expect(await store.swap('state', '"v1"', bytes('x'))).toEqual({ is: 'conflict' });
  expect(await store.read('state')).toBeUndefined();
  await store.remove(['state']);
});

test('a response without an ETag, as from a proxy, is an outage: nobody knows which content it has', async () => {
  const { endpoint } = await startedS3({ answers: { status: 200, code: 'Welcome' } });
  const store = storeAt(endpoint);
  await expect(store.read('state')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(await store.swap('state', undefined, bytes('x'))).toMatchObject({ is: 'unknown' });
});

describe('requests go', () => {
  const keys = { accessKeyId: 'id', secretAccessKey: 'word' };
  test.each([
    [{ bucket: 'b-1', region: 'eu-central-1' }, 'https://b-1.s3.eu-central-1.amazonaws.com', '/'],
    [{ bucket: 'b.example', region: 'eu-central-1' }, 'https://s3.eu-central-1.amazonaws.com', '/b.example/'],
    [{ bucket: 'b-1', region: 'cn-north-1' }, 'https://b-1.s3.cn-north-1.amazonaws.com.cn', '/'],
    [{ bucket: 'b-1', region: 'auto', endpoint: 'https://x.example.com/s3/' }, 'https://x.example.com', '/s3/b-1/'],
    [
      { bucket: 'b-1', region: 'auto', endpoint: 'https://x.example.com', pathStyle: false },
      'https://b-1.x.example.com',
      '/',
    ],
  ])('for %j to %s', (where, origin, path) => {
    const address = s3Address({ prefix: 'sluice/', ...where }, '5c1e7a90', keys);
    expect([address.origin, address.path, address.prefix]).toEqual([origin, path, 'sluice/5c1e7a90/']);
    expect(address.name).not.toContain('word');
  });

  test.each(['ftp://x.example.com', 'https://id:word@x.example.com', 'x.example.com', 'https://x/?a=word'])(
    'never to %s',
    (endpoint) => {
      const refuse = (): unknown => s3Address({ bucket: 'b-1', prefix: 'p', region: 'r', endpoint }, 's', keys);
      expect(refuse).toThrow('the S3 endpoint');
      expect(refuse).not.toThrow('word');
    },
  );
});

for (const { name, isInstalled, checksSignatures, start } of s3Programs)
  describe.skipIf(!isInstalled)(`${name}${isInstalled ? '' : ' (SKIPPED: it is not installed)'}`, () => {
    let server: Awaited<ReturnType<typeof start>>;
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server.stop());

    test('passes the probe', async () => {
      expect(await failedSteps(storeAt(server.endpoint))).toEqual([]);
    });

    test.skipIf(!checksSignatures)('checks signatures, and names what is wrong', async () => {
      const wrong = storeAt(server.endpoint, 's', { ...s3Keys, secretAccessKey: 'other' });
      await expect(wrong.read('state')).rejects.toMatchObject({ code: 'STORE_ACCESS_DENIED' });
      await expect(storeAt(server.endpoint, 's', s3Keys, 'no-such-bucket').read('state')).rejects.toMatchObject({
        code: 'STORE_NOT_FOUND',
      });
    });

    describeBackend(name, () => {
      const stack = `contract${++stacks}`;
      return Promise.resolve({ another: async () => backendOver(await probed(storeAt(server.endpoint, stack))) });
    });
  });
