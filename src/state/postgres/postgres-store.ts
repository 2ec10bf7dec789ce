/*
 * A store in one table of a PostgreSQL database. Each operation is one message of the simple protocol with one implicit
 * transaction: it works behind a pooler in transaction mode, costs one round trip, and a run that is stopped half way
 * leaves no lock in the database. Limits are set for that transaction alone. All values are hexadecimal or checked names.
 *
 * A write that needs the lease locks its row in the same statement. A bare EXISTS would read a snapshot, and let through
 * a write of a run whose lease has just been taken over.
 */
import { hostInUrl } from '../../model/host-in-url.ts';
import { randomBytes } from 'node:crypto';
import type { SluiceError } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { maskOf } from '../../diagnostics/secret-mask.ts';
import { isObjectName, objectNames, type RemoteStore, type SwapResult } from '../remote/remote-store.ts';
import type { Rows } from './postgres-connection.ts';
import { isMissing, mayNeedCredentials, postgresError, sqlState } from './postgres-errors.ts';
import { prepareTables, tableIn } from './postgres-tables.ts';
import { shareConnections, type ConnectionOptions } from './shared-connections.ts';

/** Which database, which rows in it, and how patiently; plain values, so that a thread can be given them. */
export interface PostgresStoreOptions extends ConnectionOptions {
  readonly schema: string;
  /** Of the stack: all names begin with it. */
  readonly prefix: string;
}

/** Opens a store in a database. Nothing is connected before the first operation. */
export function postgresStore(options: PostgresStoreOptions): RemoteStore {
  const { address, schema, prefix, deadlineMs } = options;
  const table = tableIn(schema);
  const location = `postgresql://${hostInUrl(address.host)}:${address.port}/${address.database} (schema ${schema})`;
  // Whoever waits for a row has a connection that operations of other stacks need.
  const limits = `SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = ${deadlineMs}; SET LOCAL lock_timeout = ${Math.ceil(deadlineMs / 4)}`;
  const { pool, giveBack } = shareConnections(options);
  let isPrepared = false;
  let isClosed = false;

  function failed(error: unknown): SluiceError {
    const passwords = pool.passwords();
    const mask = maskOf([...passwords, ...passwords.map(encodeURIComponent)]);
    return postgresError(error, { location, mask, file: address.file });
  }

  /** A statement whose credentials are refused was not carried out: it is sent again where their file has others by now. */
  async function run(statements: string, onlyReads = false): Promise<Rows> {
    if (isClosed) throw new Error('the state store is closed');
    const runOnce = (): Promise<Rows> => pool.run(`${limits}; ${statements}`, deadlineMs, onlyReads);
    const mine = pool.address();
    try {
      return await runOnce();
    } catch (error) {
      if (!mayNeedCredentials(error) || !pool.renew(mine)) throw error;
      return runOnce();
    }
  }

  async function found(answer: Promise<Rows>): Promise<Rows> {
    try {
      return await answer;
    } catch (error) {
      if (isMissing(error)) return [];
      throw failed(error);
    }
  }

  const read = (statement: string): Promise<Rows> => found(run(statement, true));
  const nameOf = (name: string): string => checked(`${prefix}/${name}`);

  async function swap(
    name: string,
    expected: string | undefined,
    bytes: Uint8Array,
    held?: string,
  ): Promise<SwapResult> {
    const version = randomBytes(12).toString('hex');
    const value = bytesOf(bytes);
    // Found as bytes: a database of another encoding may have no text for the name of the holder.
    const lease =
      held === undefined
        ? 'SELECT 1'
        : `SELECT 1 FROM ${table} WHERE name = '${nameOf(objectNames.lease)}' AND position(${bytesOf(`"token":"${checked(held)}"`)} in bytes) > 0 FOR SHARE`;
    const write =
      expected === undefined
        ? `INSERT INTO ${table} (name, version, bytes) SELECT '${nameOf(name)}', '${version}', ${value} FROM l ON CONFLICT (name) DO NOTHING RETURNING 1`
        : `UPDATE ${table} AS t SET version = '${version}', bytes = ${value} FROM l WHERE t.name = '${nameOf(name)}' AND t.version = '${checked(expected)}' RETURNING 1`;
    try {
      const rows = await run(`WITH l AS (${lease}) ${write}`);
      return rows.length === 1 ? { is: 'done', version } : { is: 'conflict' };
    } catch (error) {
      const cause = failed(error);
      // What the server refuses because of who asks was not written.
      if (/^(28|42|3D000)/.test(sqlState(error) ?? '')) throw cause;
      // Read-only since it was prepared: after a failover, the address may lead to the previous server for a while.
      if (sqlState(error) === '25006') return { is: 'again', cause };
      return { is: 'unknown', cause };
    }
  }

  return {
    location,
    read: async (name) => {
      const [row] = await read(
        `SELECT version, encode(bytes, 'hex') AS hex FROM ${table} WHERE name = '${nameOf(name)}'`,
      );
      return row === undefined
        ? undefined
        : { version: String(row['version']), bytes: Buffer.from(String(row['hex']), 'hex') };
    },
    swap,
    list: async (start) => {
      const rows = await read(`SELECT name FROM ${table} WHERE starts_with(name, '${nameOf(start)}') ORDER BY name`);
      return rows.map(({ name }) => String(name).slice(prefix.length + 1)).filter(isObjectName);
    },
    remove: async (names) => {
      if (names.length > 0)
        await found(run(`DELETE FROM ${table} WHERE name IN (${names.map((name) => `'${nameOf(name)}'`).join(', ')})`));
    },
    prepare: async () => {
      if (isPrepared) return;
      await prepareTables(run, schema, location).catch((error: unknown) => {
        throw failed(error);
      });
      isPrepared = true;
    },
    timeline: async () => {
      const [row] = await read('SELECT substring(pg_walfile_name(pg_current_wal_lsn()) for 8) AS timeline');
      return String(row?.['timeline']);
    },
    close: () => {
      isClosed = true;
      return giveBack();
    },
  };
}

function bytesOf(content: string | Uint8Array): string {
  return `decode('${Buffer.from(content).toString('hex')}', 'hex')`;
}

/** Names, versions and tokens have no character that could end a literal. */
function checked(text: string): string {
  if (/^[A-Za-z0-9/._-]+$/.test(text)) return text;
  throw new TypeError(
    `the state store has an object with the name or version ${safeText(text, 80)}, which sluice never writes`,
  );
}
