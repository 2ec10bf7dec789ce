import { StoreRefused } from '../../diagnostics/errors.ts';
import type { Rows } from './postgres-connection.ts';
import { readOnlyStore, sqlState } from './postgres-errors.ts';

/** The table of a schema. The name of a schema is checked where it is read from settings. */
export function tableIn(schema: string): string {
  return `"${schema}".sluice_objects`;
}

// Made by somebody else at the same time.
const exists = new Set(['23505', '42P06', '42P07', '42710']);

/** Makes the table where it is missing, and refuses a server that could lose a confirmed write. */
export async function prepareTables(
  run: (statements: string) => Promise<Rows>,
  schema: string,
  location: string,
): Promise<void> {
  const table = tableIn(schema);
  const [facts] = await run(
    `SELECT current_setting('synchronous_commit') AS commit, current_setting('fsync') AS fsync,
      current_setting('transaction_read_only') AS read_only, pg_is_in_recovery()::text AS recovery,
      to_regnamespace('"${schema}"')::text AS schema, to_regclass('${table}')::text AS objects`,
  );
  if (facts?.['recovery'] === 'true' || facts?.['read_only'] === 'on') throw readOnlyStore(location);
  for (const [name, unsafe] of [
    ['commit', ['off', 'local']],
    ['fsync', ['off']],
  ] as const)
    if (unsafe.some((value) => value === facts?.[name])) throw unsafeSetting(location, name);
  const statements = [
    ...(facts?.['schema'] === null ? [`CREATE SCHEMA IF NOT EXISTS "${schema}"`] : []),
    ...(facts?.['objects'] === null
      ? [`CREATE TABLE IF NOT EXISTS ${table} (name text PRIMARY KEY, version text NOT NULL, bytes bytea NOT NULL)`]
      : []),
  ];
  for (const statement of statements)
    await run(statement).catch((error: unknown) => {
      const state = sqlState(error) ?? '';
      if (state === '42501') throw notPrepared(location, statements);
      if (!exists.has(state)) throw error;
    });
}

function unsafeSetting(location: string, name: 'commit' | 'fsync'): StoreRefused {
  const setting = name === 'commit' ? 'synchronous_commit' : 'fsync';
  return new StoreRefused(
    'STORE_NOT_DURABLE',
    `the state store ${location} may lose confirmed writes: ${setting} is off`,
    {
      hint: `set ${setting} to on (synchronous_commit for the role or the database of the state, fsync in the configuration of the server)`,
    },
  );
}

function notPrepared(location: string, statements: readonly string[]): StoreRefused {
  return new StoreRefused(
    'STORE_NOT_PREPARED',
    `the database role lacks the permission to create the table for the state in ${location}`,
    {
      hint: `run these statements with a role that can create the table: ${statements.join('; ')}; then grant the role of sluice USAGE on the schema, and SELECT, INSERT, UPDATE and DELETE on the table`,
    },
  );
}
