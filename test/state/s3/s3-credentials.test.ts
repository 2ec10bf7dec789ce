import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { sharedStoreOptions } from '../../../src/stack/settings/shared-store-options.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { openSharedStore } from '../../../src/state/shared-store.ts';
import { temporaryFiles } from '../../support/manifests.ts';
import { startS3, type S3Server } from '../../support/s3-server.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
let server: S3Server;
let tokenFile: string;

beforeEach(async () => {
  server = await startS3({ token: 'first-token-of-the-tests' });
  tokenFile = join(temporaryFiles({ token: 'first-token-of-the-tests\n' }), 'token');
  onTestFinished(() => server.stop());
});

/** A store as a command opens it, and gives it to the thread of its heartbeats: with the token of a session in a file, unless in the environment. */
async function storeWith(token: Readonly<Record<string, string>> = { AWS_SESSION_TOKEN_FILE: tokenFile }) {
  const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key-of-the-tests', ...token };
  const s3 = { bucket: server.bucket, prefix: '', region: 'us-east-1', endpoint: server.endpoint };
  const lease = { duration: '60s', heartbeat: '10s', store_deadline: '5s', write_deadline: '30s', margin: '10s' };
  const stack = { settings: { state: { s3, lease } }, stack: { id: 'shop' }, network: { proxy: {} }, untrusted: [] };
  const options = await sharedStoreOptions({ env, cwd: '/' } as never, stack as never);
  const store: RemoteStore = await openSharedStore(structuredClone(options)!);
  onTestFinished(() => store.close());
  return store;
}

/** The token of before has expired, and the file has another one. */
function renew(token: string): void {
  server.faults.token = token;
  writeFileSync(tokenFile, `${token}\n`);
}

test('credentials in a file are read again once the store refuses them', async () => {
  const store = await storeWith();
  const first = await store.swap('state', undefined, bytes('one'));
  for (const token of ['second-token-of-the-tests', 'third-token-of-the-tests']) {
    renew(token);
    expect(Buffer.from((await store.read('state'))!.bytes).toString()).toBe('one');
    await Promise.all(Array.from({ length: 5 }, () => store.read('state')));
  }
  renew('fourth-token-of-the-tests');
  expect(first.is === 'done' && (await store.swap('state', first.version, bytes('two')))).toMatchObject({ is: 'done' });
});

test('credentials that a file has not renewed yet are refused, and accepted once it has', async () => {
  const store = await storeWith();
  server.faults.token = 'second-token-of-the-tests';
  await expect(store.read('state')).rejects.toMatchObject({ code: 'STORE_ACCESS_DENIED' });
  expect(server.log).toHaveLength(1);
  rmSync(tokenFile);
  await expect(store.read('state')).rejects.toMatchObject({
    code: 'STORE_ACCESS_DENIED',
    message: expect.stringMatching(/; the credential file \/\S+\/token does not exist$/) as string,
  });
  writeFileSync(tokenFile, '');
  await expect(store.read('state')).rejects.toMatchObject({
    code: 'STORE_ACCESS_DENIED',
    message: expect.stringMatching(/; the credential file \/\S+\/token is empty$/) as string,
  });
  renew('second-token-of-the-tests');
  expect(await store.read('state')).toBeUndefined();
});

test('credentials are used as they were while their file is empty', async () => {
  const store = await storeWith();
  writeFileSync(tokenFile, '');
  expect(await store.read('state')).toBeUndefined();
});

test('an empty file of credentials is an error that names its variable', async () => {
  writeFileSync(tokenFile, '\n');
  await expect(storeWith()).rejects.toThrow('AWS_SESSION_TOKEN_FILE: the file is empty');
});

test.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'])(
  'a line break in %s is an error that names it and nothing of what it contains',
  async (name) => {
    const error: unknown = await storeWith({ [name]: 'half-a-canary\nother-half' }).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(new RegExp(`${name}: the credential contains a (?:space or a )?line break`));
    expect(inspect(error, { depth: null })).not.toMatch(/canary|half/);
  },
);

test('a secret access key may be a passphrase, as MinIO takes one', async () => {
  const store = await storeWith({ AWS_SECRET_ACCESS_KEY: 'grün is a passphrase', AWS_SESSION_TOKEN_FILE: tokenFile });
  expect(await store.read('state')).toBeUndefined();
});

test('a file of credentials with a line break in it counts as one that is not renewed yet, and is not repeated', async () => {
  const store = await storeWith();
  server.faults.token = 'second-token-of-the-tests';
  writeFileSync(tokenFile, 'second-token-\nof-the-tests');
  const error: unknown = await store.read('state').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'STORE_ACCESS_DENIED',
    message: expect.stringMatching(
      /; the credential file \/\S+\/token cannot be used: the credential contains a space or a line break/,
    ) as string,
  });
  expect(inspect(error, { depth: null })).not.toContain('second-token');
  renew('second-token-of-the-tests');
  expect(await store.read('state')).toBeUndefined();
});

test('credentials of the environment stay as they are', async () => {
  const store = await storeWith({ AWS_SESSION_TOKEN: 'first-token-of-the-tests', AWS_SESSION_TOKEN_FILE: tokenFile });
  expect(await store.read('state')).toBeUndefined();
  renew('second-token-of-the-tests');
  await expect(store.read('state')).rejects.toMatchObject({ code: 'STORE_ACCESS_DENIED' });
});

test('credentials that were read again are masked too', async () => {
  const store = await storeWith();
  renew('second-token-of-the-tests');
  await store.read('state');
  server.faults.answers = {
    status: 403,
    text: '<Error><Code>No</Code><Message>second-token-of-the-tests</Message></Error>',
  };
  await expect(store.read('state')).rejects.toThrow('(secret)');
});
