import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { InvalidInput } from '../../../src/diagnostics/errors.ts';
import { sharedStoreOptions } from '../../../src/stack/settings/shared-store-options.ts';
import { temporaryFiles } from '../../support/manifests.ts';
import { privateAuthority } from '../../support/private-authority.ts';

const lease = { duration: '60s', heartbeat: '10s', store_deadline: '7s', write_deadline: '20s', margin: '5s' };
const bucket = { bucket: 'states', prefix: 'sluice/' };
const database = { url: { from_env: 'DATABASE_URL' }, schema: 'sluice' };
const keys = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 's3cret' };
const amazon = { AWS_REGION: 'eu-west-1', ...keys };

interface Given {
  readonly s3?: object;
  readonly postgres?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly caFile?: string;
  readonly untrusted?: readonly object[];
}

/** The store of a stack with these settings. */
async function storeOf({ env = {}, caFile, untrusted = [], ...store }: Given) {
  return sharedStoreOptions(
    { env, cwd: tmpdir() } as never,
    {
      settings: { state: { lease, ...store } },
      stack: { id: 'a1b2c3d4' },
      network: { proxy: {}, ...(caFile === undefined ? {} : { caFile: { text: caFile, from: '--ca-file' } }) },
      untrusted,
    } as never,
  );
}

test('a stack that names no store keeps its state in files, whatever else is refused', async () => {
  expect(await storeOf({ untrusted: [{ code: 'ORIGIN_NOT_TRUSTED' }] })).toBeUndefined();
});

describe('a bucket', () => {
  test('is reached with the region and the credentials of the environment', async () => {
    const store = await storeOf({ s3: bucket, env: amazon });
    expect(store).toMatchObject({ s3: { deadlineMs: 7_000 } });
    expect(store).not.toHaveProperty('postgres');
    expect(JSON.stringify(store)).toContain('eu-west-1');
    expect(JSON.stringify(store)).toContain('a1b2c3d4');
  });

  test('may be asked for by its path, and with the token of a session', async () => {
    const token = { AWS_SESSION_TOKEN: 'token-of-the-tests' };
    const shown = async (given: Given) => JSON.stringify(await storeOf(given));
    const usual = await shown({ s3: bucket, env: amazon });
    const path = await shown({ s3: { ...bucket, path_style: true }, env: amazon });
    expect([usual.includes('token-of-the-tests'), path === usual]).toEqual([false, false]);
    expect(await shown({ s3: bucket, env: { ...amazon, ...token } })).toContain('token-of-the-tests');
  });

  test('takes its region from sluice.yaml first, then from AWS_REGION, then from AWS_DEFAULT_REGION', async () => {
    const env = { ...amazon, AWS_DEFAULT_REGION: 'us-east-1' };
    const shown = async (given: Given) => JSON.stringify(await storeOf(given));
    expect(await shown({ s3: { ...bucket, region: 'eu-north-1' }, env })).toContain('eu-north-1');
    expect(await shown({ s3: bucket, env })).toContain('eu-west-1');
    expect(await shown({ s3: bucket, env: { ...env, AWS_REGION: '' } })).toContain('us-east-1');
    expect(await shown({ s3: bucket, env: { ...keys, AWS_DEFAULT_REGION: 'us-east-1' } })).toContain('us-east-1');
  });

  test('may be in a region of OpenStack', async () => {
    const env = { ...keys, AWS_REGION: 'RegionOne', AWS_ENDPOINT_URL_S3: 'https://s3.example.com' };
    expect(await storeOf({ s3: bucket, env })).toMatchObject({ s3: { address: { region: 'RegionOne' } } });
  });

  test.each([
    { without: 'a region', env: keys, message: 'no region is set' },
    {
      without: 'the id of a key',
      env: { ...amazon, AWS_ACCESS_KEY_ID: '' },
      message: 'AWS_ACCESS_KEY_ID is not set',
    },
    {
      without: 'the secret of the key',
      env: { ...amazon, AWS_SECRET_ACCESS_KEY: '' },
      message: 'AWS_SECRET_ACCESS_KEY is not set',
    },
  ])('cannot be reached without $without', async ({ env, message }) => {
    await expect(storeOf({ s3: bucket, env })).rejects.toThrow(`state.s3: ${message}`);
  });

  test('is at the endpoint that sluice.yaml names, else at that of the environment', async () => {
    const env = {
      ...amazon,
      AWS_ENDPOINT_URL_S3: 'https://minio.example.com',
      AWS_ENDPOINT_URL: 'https://x.example.com',
    };
    const shown = async (given: Given) => JSON.stringify(await storeOf(given));
    expect(await shown({ s3: { ...bucket, endpoint: 'https://ceph.example.com' }, env })).toContain('ceph.example.com');
    expect(await shown({ s3: bucket, env })).toContain('minio.example.com');
    expect(await shown({ s3: bucket, env: { ...env, AWS_ENDPOINT_URL_S3: '' } })).toContain('x.example.com');
    expect(await shown({ s3: bucket, env: amazon })).toContain('amazonaws.com');
  });
});

describe('a database', () => {
  test('is reached at the URL of the variable that sluice.yaml names', async () => {
    const store = await storeOf({
      postgres: database,
      env: { DATABASE_URL: 'postgres://sluice:pw@db.example.com/states' },
    });
    expect(store).toMatchObject({ postgres: { deadlineMs: 7_000, schema: 'sluice', prefix: 'a1b2c3d4' } });
    expect(store).not.toHaveProperty('postgres.authorities');
  });

  test('cannot be reached without it', async () => {
    await expect(storeOf({ postgres: database })).rejects.toThrow('state.postgres: DATABASE_URL is not set');
  });

  test('may have a certificate of the authorities in the file that is named, beside the usual ones', async () => {
    const { pem } = privateAuthority();
    const caFile = join(temporaryFiles({ 'ca.pem': pem }), 'ca.pem');
    const env = { DATABASE_URL: 'postgres://sluice:pw@db.example.com/states' };
    const store = await storeOf({ postgres: database, env, caFile });
    const authorities = [...rootCertificates, pem.trim()];
    expect(store).toMatchObject({ postgres: { authorities } });
    const missing = storeOf({ postgres: database, env, caFile: '/missing' });
    await expect(missing).rejects.toMatchObject({ code: 'INVALID_CA_FILE' });
  });
});

test.each([{ s3: bucket }, { postgres: database }])(
  'the credentials of a store go nowhere while an address of the stack is refused: %o',
  async (store) => {
    const env = { ...amazon, DATABASE_URL: 'postgres://sluice:pw@db.example.com/states' };
    const untrusted = [{ code: 'ORIGIN_NOT_TRUSTED', severity: 'error', message: 'no' }];
    await expect(storeOf({ ...store, env, untrusted })).rejects.toBeInstanceOf(InvalidInput);
  },
);
