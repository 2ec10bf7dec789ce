import { isIP } from 'node:net';
import { StoreRefused } from '../../diagnostics/errors.ts';
import { renewedText } from '../renewed-text.ts';

/** Where a database is and how to log in; plain values, so that a thread can be given them. */
export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly encryption: 'verified' | 'unverified' | 'none';
  /** The file that its URL was read from, if any. */
  readonly file?: string;
}

const encryptions = {
  disable: 'none',
  require: 'unverified',
  'verify-ca': 'verified',
  'verify-full': 'verified',
} as const;

/** Reads the address of a database. Without `sslmode`, TLS is verified everywhere but on this machine. Errors never repeat the text. */
export function postgresAddress(text: string, from: string): PostgresAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '' || url.username === '')
    throw invalid(`${from} is not the URL of a PostgreSQL database`);
  const database = decoded(url.pathname.slice(1), from);
  if (database === '') throw invalid(`the URL in ${from} does not name a database`);
  const unknown = [...url.searchParams.keys()].find((key) => key !== 'sslmode');
  if (unknown !== undefined) throw invalid(`the URL in ${from} has a parameter other than sslmode`);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) === 0 && !/^[\w.-]+$/.test(host))
    throw invalid(`the URL in ${from} must have one host, by name or IP address`);
  // The driver would take it for none.
  if (url.port === '0') throw invalid(`the URL in ${from} has port 0`);
  const [mode, another] = url.searchParams.getAll('sslmode');
  if (another !== undefined) throw invalid(`the URL in ${from} has several sslmode parameters`);
  if (mode !== undefined && !Object.hasOwn(encryptions, mode))
    throw invalid(`the URL in ${from} has an sslmode other than ${Object.keys(encryptions).join(', ')}`);
  return {
    host,
    port: url.port === '' ? 5432 : Number(url.port),
    database,
    user: decoded(url.username, from),
    password: decoded(url.password, from),
    encryption:
      mode === undefined ? (isThisMachine(host) ? 'none' : 'verified') : encryptions[mode as keyof typeof encryptions],
  };
}

/** Reads user and password again from the file of the URL. Undefined: they are the same, or it has no URL of this database. */
export function renewedAddress(before: PostgresAddress): PostgresAddress | undefined {
  const { user, password } = urlIn(before.file) ?? before;
  if (user === before.user && password === before.password) return undefined;
  return { ...before, user, password };

  function urlIn(file: string | undefined): PostgresAddress | undefined {
    try {
      const now = postgresAddress(renewedText(file, ''), '');
      const isOther = (['host', 'port', 'database'] as const).some((part) => now[part] !== before[part]);
      return isOther ? undefined : now;
    } catch {
      return undefined;
    }
  }
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function decoded(text: string, from: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid(`the URL in ${from} has an invalid percent-encoding`);
  }
}

function invalid(message: string): StoreRefused {
  return new StoreRefused('INVALID_STATE_URL', message, {
    hint: 'use postgresql://user:password@host:5432/database, with special characters percent-encoded',
  });
}
