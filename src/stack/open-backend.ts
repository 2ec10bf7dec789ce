import { hostname, userInfo } from 'node:os';
import { resolve } from 'node:path';
import { rootCertificates } from 'node:tls';
import { InvalidInput } from '../diagnostics/errors.ts';
import { readSafely } from '../files/safe-file.ts';
import { defaultStatePath, type StackSettings } from '../manifest/stack-file/stack-schema.ts';
import type { Backend } from '../state/backend.ts';
import { fileBackend } from '../state/file-backend.ts';
import type { PostgresStoreOptions } from '../state/postgres/postgres-store.ts';
import type { LeaseOwner } from '../state/remote/lease-record.ts';
import { credential } from './settings/credential.ts';
import { leaseTiming } from './settings/lease-settings.ts';
import { pipelineRunUrl } from './settings/pipeline-run-url.ts';
import type { StackConfig } from './settings/stack-config.ts';
import type { StackContext } from './stack-context.ts';
import { UsageError } from './usage-error.ts';

/** Opens the storage backend of the stack. Only this function knows where it is. */
export async function openBackend(
  { io }: Pick<StackContext, 'io'>,
  open: Pick<StackConfig, 'dir' | 'settings' | 'stack' | 'network' | 'untrusted'>,
): Promise<Backend> {
  const { postgres } = open.settings.state;
  return postgres === undefined ? fileBackend(stateFile(open)) : openPostgres(io, open, postgres);
}

/** The state file of a stack whose state is in files. */
export function stateFile({ dir, settings }: Pick<StackConfig, 'dir' | 'settings'>): string {
  return resolve(dir, settings.state.path ?? defaultStatePath);
}

async function openPostgres(
  io: StackContext['io'],
  { settings, stack, network, untrusted }: Parameters<typeof openBackend>[1],
  { url: { from_env: name }, schema }: NonNullable<StackSettings['state']['postgres']>,
): Promise<Backend> {
  // The credentials of the store go nowhere either that only the repository names.
  if (untrusted.length > 0) throw new InvalidInput(untrusted);
  const url = credential(name, io);
  if (url === undefined)
    throw new UsageError(
      `state.postgres: ${name} is not set`,
      `set ${name} to the URL of the database, or ${name}_FILE to a file that contains it`,
    );
  const [{ postgresStore }, { postgresAddress }, { remoteBackend }, { machineTime }, keeping, here] = await Promise.all(
    [
      import('../state/postgres/postgres-store.ts'),
      import('../state/postgres/postgres-address.ts'),
      import('../state/remote/remote-backend.ts'),
      import('../state/remote/lease-time.ts'),
      import('../state/remote/keep-on-thread.ts'),
      import('../state/remote/kept-lease.ts'),
    ],
  );
  const timing = leaseTiming(settings.state);
  const options: PostgresStoreOptions = {
    address: postgresAddress(url, name),
    schema,
    prefix: stack.id,
    deadlineMs: timing.storeDeadlineMs,
    connections: 4,
    ...authorities(network.caFile?.text),
  };
  const store = postgresStore(options);
  const thread = keeping.heartbeatThread();
  return remoteBackend({
    store,
    timing,
    time: machineTime,
    owner: ownerOf(io.env),
    keep: (taken) =>
      thread === undefined
        ? here.keepInThisThread(store, taken, timing, machineTime)
        : keeping.keepOnThread(thread, { store: { ...options, connections: 1 }, taken, timing }),
  });
}

function authorities(path: string | undefined): Pick<PostgresStoreOptions, 'authorities'> {
  const read = path === undefined ? undefined : readSafely(path);
  return read !== undefined && 'text' in read ? { authorities: [...rootCertificates, read.text] } : {};
}

function ownerOf(env: StackContext['io']['env']): Omit<LeaseOwner, 'command' | 'since'> {
  const url = pipelineRunUrl(env);
  return { owner: userName(), host: hostname(), pid: process.pid, ...(url === undefined ? {} : { url }) };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
