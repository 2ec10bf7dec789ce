import type { PostgresStoreOptions } from './postgres/postgres-store.ts';
import type { RemoteStore } from './remote/remote-store.ts';
import type { S3StoreOptions } from './s3/s3-store.ts';

/** A store that several machines share: which, and where; plain values, so that a thread can be given them. */
export type SharedStoreOptions = { readonly postgres: PostgresStoreOptions } | { readonly s3: S3StoreOptions };

/** Opens a store, and loads only its client. */
export async function openSharedStore(options: SharedStoreOptions): Promise<RemoteStore> {
  return 's3' in options
    ? (await import('./s3/s3-store.ts')).s3Store(options.s3)
    : (await import('./postgres/postgres-store.ts')).postgresStore(options.postgres);
}
