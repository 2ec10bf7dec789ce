import { SluiceError, StateError, StoreNotAllowed, StoreRefused } from '../../diagnostics/errors.ts';
import { reasonOf } from '../../diagnostics/reason-of.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { missingText } from '../renewed-text.ts';
import { hintsFor } from '../remote/outage-hints.ts';
import type { Mask } from '../../diagnostics/secret-mask.ts';

/** Which store an error is about, and what it must not repeat. */
interface StoreIdentity {
  readonly location: string;
  readonly mask: Mask;
  /** Where its credentials are renewed. */
  readonly file?: string | undefined;
}

/** The SQLSTATE of an error of the server; undefined for any other. It has a digit, unlike EPIPE. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^(?=.*[0-9])[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

/** Whether a table or its schema does not exist. */
export function isMissing(error: unknown): boolean {
  const state = sqlState(error);
  return state === '42P01' || state === '3F000';
}

function areCredentialsRefused(error: unknown): boolean {
  return sqlState(error)?.startsWith('28') === true;
}

/** Whether other credentials may help: pgbouncer refuses every login with 08P01, whatever the reason. */
export function mayNeedCredentials(error: unknown): boolean {
  return areCredentialsRefused(error) || sqlState(error) === poolerRefusal;
}

const poolerRefusal = '08P01';

/** Whether the connection ended without an answer, or because the server ends. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined || state.startsWith('08') || state.startsWith('57P');
}

/** An error of the database in terms of the store. It keeps nothing of the original: a server may repeat the password in any part of it. */
export function postgresError(error: unknown, { location, mask, file }: StoreIdentity): SluiceError {
  if (error instanceof SluiceError) return error;
  const state = sqlState(error) ?? '';
  const why = safeText(mask.hide(reasonOf(error) || state || String(error)), 300);
  if (areCredentialsRefused(error))
    return new StoreNotAllowed(
      'STORE_ACCESS_DENIED',
      [`the state store ${location} refuses the credentials: ${why}`, missingText(file) ?? []].flat().join('; '),
      { hint: 'check the user and the password in the URL of the state store' },
    );
  if (state === '42501')
    return new StoreNotAllowed('STORE_ACCESS_DENIED', `the state store ${location} refuses access: ${why}`, {
      hint: 'grant SELECT, INSERT, UPDATE and DELETE on the table sluice_objects; SELECT is enough for plan',
    });
  if (state === '3D000') return new StoreRefused('STORE_NOT_FOUND', `the state store ${location}: ${why}`);
  if (state === '25006') return readOnlyStore(location);
  const hints = state === poolerRefusal ? poolerHints : hintsFor(error);
  return new StateError('STORE_UNAVAILABLE', `the state store ${location} is unavailable: ${why}`, hints);
}

const checkLogin =
  'check user, password and database in the URL of the state store, and the pooler in front of the database';
const poolerHints = {
  hint: `${checkLogin}, then run the command again`,
  hintInWatch: `sluice retries automatically; ${checkLogin}`,
};

/** The error for a server that takes no writes. */
export function readOnlyStore(location: string): StoreRefused {
  return new StoreRefused('STORE_READ_ONLY', `the state store ${location} is read-only`, {
    hint: 'use the URL of the primary server',
  });
}

const headerBytes = 5;
const [errorType, noticeType] = [0x45, 0x4e];

/**
 * Looks through what a server sends, and throws at an error or notice without its end, which is two zero bytes: the driver
 * would look for it for ever.
 */
export function errorEndings(): (bytes: Buffer) => void {
  let header: number[] = [];
  let left = 0;
  let ending: readonly number[] = [];

  return (bytes) => {
    for (let at = 0; at < bytes.length;) {
      const isHeader = header.length < headerBytes;
      const part = bytes.subarray(at, at + (isHeader ? headerBytes - header.length : left));
      at += part.length;
      if (isHeader) {
        header.push(...part);
        if (header.length < headerBytes) return;
        left = Buffer.from(header).readUInt32BE(1) - 4;
        if (left < 0) throw new Error('a PostgreSQL message has no length');
      } else {
        left -= part.length;
        ending = [...ending, ...part.subarray(-2)].slice(-2);
      }
      if (left > 0) continue;
      const [type] = header;
      if ((type === errorType || type === noticeType) && (ending.length < 2 || ending.some((byte) => byte !== 0)))
        throw new Error('a PostgreSQL error message has no end');
      header = [];
      ending = [];
    }
  };
}
