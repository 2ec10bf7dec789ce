import { describe, expect, test } from 'vitest';
import type { StackSettings } from '../../../src/manifest/stack-file/stack-schema.ts';
import type { OperatorPolicy } from '../../../src/stack/settings/operator-policy.ts';
import { untrustedSettings } from '../../../src/stack/settings/untrusted-settings.ts';

interface Given {
  readonly url?: string;
  readonly proxy?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly trusted?: readonly string[];
  readonly isUnattended?: boolean;
  readonly isFleet?: boolean;
  readonly proxyFlag?: string;
  readonly state?: object;
}

const pipeline = { CI: 'true' };
const service = 'https://api.example.com';

/** What is refused of a stack file with this address of the service. */
function refused({
  url = service,
  proxy,
  env = {},
  trusted,
  isUnattended = false,
  isFleet,
  proxyFlag,
  state = {},
}: Given) {
  const settings = {
    api: { base_url: url, ...(proxy === undefined ? {} : { proxy }) },
    manifests: [],
    secrets: { dirs: [], env_files: [] },
    state,
  } as unknown as StackSettings;
  const operator = trusted === undefined ? undefined : ({ trustedOrigins: trusted } as unknown as OperatorPolicy);
  const found = untrustedSettings(
    { settings, dir: '/stack', placeOf: () => ({ file: 'sluice.yaml', line: 1, col: 1 }), operator },
    {
      io: { env },
      flags: proxyFlag === undefined ? {} : { proxy: proxyFlag },
      isUnattended,
      ...(isFleet === true ? { fleet: {} as never } : {}),
    },
  );
  expect(found.files).toEqual([]);
  return found.requests.map(({ message }) => message);
}

const unconfirmed = `api.base_url (${service}) in sluice.yaml must also be allowed by the operator`;
const differs = `api.base_url (${service}) does not match SLUICE_BASE_URL`;
const unlisted = `api.base_url (${service}) is not among the trusted origins of the operator`;
const otherOrigin = `api.base_url (${service}) differs from the origin that the fleet uses`;

describe('the address of the service in a stack file', () => {
  test.each<{ where: string; given: Given; because: string[] }>([
    { where: 'at the desk of a person', given: {}, because: [] },
    { where: 'in a pipeline', given: { env: pipeline }, because: [unconfirmed] },
    { where: 'in a watch', given: { isUnattended: true }, because: [unconfirmed] },
    {
      where: 'in a pipeline that names the same',
      given: { env: { ...pipeline, SLUICE_BASE_URL: `${service}/` } },
      because: [],
    },
    {
      where: 'in a pipeline that names another',
      given: { env: { ...pipeline, SLUICE_BASE_URL: 'https://other.example.com' } },
      because: [differs],
    },
    {
      where: 'at the desk of a person whose environment names another',
      given: { env: { SLUICE_BASE_URL: 'https://other.example.com' } },
      because: [differs],
    },
    { where: 'in a pipeline on the same machine', given: { url: 'http://127.0.0.1:80', env: pipeline }, because: [] },
    { where: 'in a pipeline with the emulator', given: { url: 'embedded', env: pipeline }, because: [] },
  ])('$where', ({ given, because }) => {
    expect(refused(given)).toEqual(because);
  });

  test.each<{ what: string; given: Given; because: string[] }>([
    { what: 'among them', given: { trusted: [service], env: pipeline }, because: [] },
    { what: 'not among them', given: { trusted: ['https://other.example.com'] }, because: [unlisted] },
    {
      what: 'not among them, but in the environment',
      given: { trusted: ['https://other.example.com'], env: { SLUICE_BASE_URL: service } },
      because: [],
    },
    {
      what: 'among them, although the environment names another',
      given: { trusted: [service], env: { SLUICE_BASE_URL: 'https://other.example.com' } },
      because: [],
    },
  ])('where the operator trusts origins: $what', ({ given, because }) => {
    expect(refused(given)).toEqual(because);
  });

  test.each<{ what: string; given: Given; because: string[] }>([
    { what: 'trusts this origin alone', given: { trusted: [service] }, because: [] },
    {
      what: 'trusts two, so none of them is the one',
      given: { trusted: [service, 'https://other.example.com'] },
      because: [otherOrigin],
    },
    { what: 'trusts another', given: { trusted: ['https://other.example.com'] }, because: [otherOrigin] },
    {
      what: 'trusts two, and the environment names this one',
      given: { trusted: [service, 'https://other.example.com'], env: { SLUICE_BASE_URL: service } },
      because: [],
    },
    { what: 'trusts none by name', given: {}, because: [] },
    {
      what: 'trusts two, and the stack uses the emulator',
      given: { trusted: [service, 'https://other.example.com'], url: 'embedded' },
      because: [],
    },
  ])('in a fleet whose operator $what', ({ given, because }) => {
    expect(refused({ ...given, isFleet: true })).toEqual(because);
  });
});

describe('the proxy in a stack file', () => {
  const proxy = 'http://proxy.example.com:3128';
  const env = { ...pipeline, SLUICE_BASE_URL: service };

  test('requires consent in a pipeline', () => {
    expect(refused({ proxy, env })).toEqual([
      'api.proxy (http://proxy.example.com:3128) in sluice.yaml must also be allowed by the operator',
    ]);
  });

  test('does not decide where a flag does', () => {
    expect(refused({ proxy, env, proxyFlag: 'http://other.example.com:1' })).toEqual([]);
  });

  test('agrees with the same in the environment', () => {
    expect(refused({ proxy, env: { ...env, SLUICE_PROXY: proxy } })).toEqual([]);
  });

  test('on the same machine is no other origin of a fleet', () => {
    expect(refused({ proxy: 'http://127.0.0.1:3128', trusted: [service], isFleet: true })).toEqual([]);
  });
});

describe('the endpoint of the bucket in a stack file, to which the state is sent', () => {
  const endpoint = 'https://storage.example.com';
  const state = { s3: { bucket: 'state', region: 'us-east-1', endpoint } };
  const env = { ...pipeline, SLUICE_BASE_URL: service };
  const differs = `state.s3.endpoint (${endpoint}) does not match AWS_ENDPOINT_URL_S3`;

  test.each<{ what: string; given: Given; because: string[] }>([
    {
      what: 'requires consent in a pipeline',
      given: { state, env },
      because: [`state.s3.endpoint (${endpoint}) in sluice.yaml must also be allowed by the operator`],
    },
    {
      what: 'must be that of the environment',
      given: { state, env: { ...env, AWS_ENDPOINT_URL_S3: 'https://other.example.com' } },
      because: [differs],
    },
    {
      what: 'agrees with the same in the environment',
      given: { state, env: { ...env, AWS_ENDPOINT_URL_S3: `${endpoint}/` } },
      because: [],
    },
    { what: 'may be a trusted origin', given: { state, env, trusted: [service, endpoint] }, because: [] },
    {
      what: 'needs none on this machine',
      given: { state: { s3: { endpoint: 'http://127.0.0.1:9000' } }, env },
      because: [],
    },
    { what: 'needs none where it is that of Amazon', given: { state: { s3: { bucket: 'state' } }, env }, because: [] },
  ])('$what', ({ given, because }) => {
    expect(refused(given)).toEqual(because);
  });
});
