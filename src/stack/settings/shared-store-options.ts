import { rootCertificates } from 'node:tls';
import { certificatesOf } from '../../api/connection/ca-bundle.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { type StackSettings, regionForm } from '../../manifest/stack-file/stack-schema.ts';
import type { S3Address } from '../../state/s3/s3-address.ts';
import { credentialFlaw, type S3Credentials, type S3Keys } from '../../state/s3/s3-credentials.ts';
import type { SharedStoreOptions } from '../../state/shared-store.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';
import { present } from '../../model/present.ts';
import { credential, credentialFile } from './credential.ts';
import { leaseTiming } from './lease-settings.ts';
import { authoritiesIn } from './network-settings.ts';
import type { StackConfig } from './stack-config.ts';

/** The settings of a store; `stack.id` is where everything in it begins. */
interface Config extends Pick<StackConfig, 'network' | 'untrusted'> {
  readonly settings: Pick<StackSettings, 'state'>;
  readonly stack: Pick<StackConfig['stack'], 'id'>;
}

type Bucket = NonNullable<StackSettings['state']['s3']>;

/** Where the stack has its state, if that is a store that several machines share. Credentials come from the environment alone. */
export async function sharedStoreOptions(
  io: StackContext['io'],
  config: Config,
): Promise<SharedStoreOptions | undefined> {
  const { postgres, s3 } = config.settings.state;
  if (s3 !== undefined) return { s3: { ...ofAnyStore(io, config), address: await bucketAddress(io, config, s3) } };
  if (postgres === undefined) return undefined;
  const shared = ofAnyStore(io, config);
  const { schema } = postgres;
  const name = postgres.url.from_env;
  const { postgresAddress } = await import('../../state/postgres/postgres-address.ts');
  const address = {
    ...postgresAddress(requiredText(name, io, 'state.postgres', 'the URL of the database'), name),
    ...present({ file: credentialFile(name, io) }),
  };
  return { postgres: { ...shared, address, schema, prefix: config.stack.id, connections: 4 } };
}

function ofAnyStore(
  { env }: StackContext['io'],
  { settings, network: { caFile }, untrusted }: Config,
): { readonly deadlineMs: number; readonly authorities?: readonly string[] } {
  // The credentials of the store go nowhere either that only the repository names.
  if (untrusted.length > 0) throw new InvalidInput(untrusted);
  const deadlineMs = leaseTiming(settings.state).storeDeadlineMs;
  if (caFile === undefined) return { deadlineMs };
  return { deadlineMs, authorities: [...rootCertificates, ...certificatesOf(authoritiesIn(caFile, env))] };
}

async function bucketAddress(
  io: StackContext['io'],
  { stack }: Config,
  { bucket, prefix, region, endpoint, path_style: pathStyle }: Bucket,
): Promise<S3Address> {
  const { s3Address } = await import('../../state/s3/s3-address.ts');
  const firstSet = (...names: readonly string[]): string | undefined =>
    names.find((name) => (io.env[name] ?? '') !== '');
  const regionFrom = firstSet('AWS_REGION', 'AWS_DEFAULT_REGION') ?? '';
  const where = region ?? io.env[regionFrom];
  if (where === undefined)
    throw new UsageError(
      'state.s3: no region is set',
      'set state.s3.region, or AWS_REGION or AWS_DEFAULT_REGION in the environment',
    );
  // It is a part of the host name.
  if (!regionForm.test(where))
    throw new UsageError(
      `${regionFrom} is not the name of a region`,
      `set ${regionFrom} to a name such as eu-central-1`,
    );
  const at = endpoint ?? io.env[firstSet('AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL') ?? ''];
  const location = { bucket, prefix, region: where, ...present({ endpoint: at, pathStyle }) };
  return s3Address(location, stack.id, bucketCredentials(io));
}

function bucketCredentials(io: StackContext['io']): S3Credentials {
  const sessionToken = credential('AWS_SESSION_TOKEN', io);
  const required = (of: keyof S3Keys, name: string, what: string): string =>
    mustBeCredential(of, name, io, requiredText(name, io, 'state.s3', what));
  return {
    accessKeyId: required('accessKeyId', 'AWS_ACCESS_KEY_ID', 'the id of an AWS access key'),
    secretAccessKey: required('secretAccessKey', 'AWS_SECRET_ACCESS_KEY', 'the secret access key'),
    ...(sessionToken === undefined
      ? {}
      : { sessionToken: mustBeCredential('sessionToken', 'AWS_SESSION_TOKEN', io, sessionToken) }),
    files: present({
      accessKeyId: credentialFile('AWS_ACCESS_KEY_ID', io),
      secretAccessKey: credentialFile('AWS_SECRET_ACCESS_KEY', io),
      sessionToken: credentialFile('AWS_SESSION_TOKEN', io),
    }),
  };
}

function mustBeCredential(of: keyof S3Keys, name: string, io: StackContext['io'], text: string): string {
  const flaw = credentialFlaw(of, text);
  if (flaw === undefined) return text;
  const from = credentialFile(name, io) === undefined ? name : `${name}_FILE`;
  throw new UsageError(`${from}: ${flaw}`, `set ${from} to the credential alone, in one line`);
}

function requiredText(name: string, io: StackContext['io'], setting: string, what: string): string {
  const text = credential(name, io);
  if (text !== undefined) return text;
  throw new UsageError(
    `${setting}: ${name} is not set`,
    `set ${name} to ${what}, or ${name}_FILE to a file that contains it`,
  );
}
