import { StateError, StoreNotAllowed, StoreRefused, type SluiceError } from '../../diagnostics/errors.ts';
import { reasonOf } from '../../diagnostics/reason-of.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { hintsFor } from '../remote/outage-hints.ts';
import type { S3Answer } from './s3-exchange.ts';

/** The code of an error answer, such as `NoSuchKey`; empty where its body is none of S3. */
function s3Code({ body }: Pick<S3Answer, 'body'>): string {
  return textIn('Code', body);
}

/**
 * Whether an answer says that an object is not there. Only the code says so: a 404 without it may be of a proxy. A write
 * that expects an absent object is answered in the same way, or with 412 like any other version.
 */
export function isAbsent(answer: Pick<S3Answer, 'status' | 'body'>): boolean {
  return answer.status === 404 && s3Code(answer) === 'NoSuchKey';
}

/** Whether an answer refuses access: the credentials, or what they are for. */
export function isAccessRefused(answer: Pick<S3Answer, 'status' | 'body'>): boolean {
  const { status } = answer;
  return status === 401 || status === 403 || (status === 400 && refusedTokens.has(s3Code(answer)));
}

/** An answer that is no result, in terms of the store. A service may repeat what it was sent. */
export function s3Refusal(answer: S3Answer, location: string): SluiceError {
  const { status, mask, missing = [] } = answer;
  const code = s3Code(answer);
  const why = [
    `HTTP ${status}`,
    safeText(mask.hide(code), 80),
    safeText(mask.hide(textIn('Message', answer.body)), 300),
  ]
    .filter((part) => part !== '')
    .join(', ');
  const theStore = `the state store ${location}`;
  if (isAccessRefused(answer))
    return new StoreNotAllowed('STORE_ACCESS_DENIED', [`${theStore} refuses access: ${why}`, ...missing].join('; '), {
      hint: 'grant s3:GetObject, s3:PutObject, s3:DeleteObject and, on the bucket, s3:ListBucket; check AWS_ACCESS_KEY_ID, AWS_SESSION_TOKEN and the clock of this machine',
    });
  if (status === 404 && code === 'NoSuchBucket')
    return new StoreRefused('STORE_NOT_FOUND', `${theStore}: ${why}`, {
      hint: 'create the bucket; check bucket and region',
    });
  if (status === 404)
    return s3Outage(
      new Error(`${why}; the response lacks the S3 error code NoSuchKey, so it may come from a proxy`),
      location,
      {
        hint: 'check the endpoint and the proxy in front of it, then run the command again',
        hintInWatch: 'sluice retries automatically; check the endpoint and the proxy in front of it',
      },
    );
  if (status === 301 || status === 307 || (status === 400 && !brokenTransfers.has(code)))
    return new StoreRefused('STORE_REQUEST_REFUSED', `${theStore} refuses the request: ${why}`, {
      hint: 'check bucket, region, endpoint and path_style',
    });
  if (status === 501)
    return new StoreRefused('STORE_CANNOT_SWAP', `${theStore} has no conditional writes: ${why}`, {
      hint: 'use a store with conditional writes; `sluice state probe` tests the store',
    });
  return s3Outage(new Error(why), location);
}

// AWS answers these with 400, as Versity S3 Gateway does.
const refusedTokens = new Set(['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired']);

// The request did not arrive as it was sent.
const brokenTransfers = new Set(['RequestTimeout', 'IncompleteBody', 'BadDigest', 'XAmzContentSHA256Mismatch']);

/** The error for a service that cannot be reached, or answers with an error of its own. */
export function s3Outage(
  cause: unknown,
  location: string,
  hints: ReturnType<typeof hintsFor> = hintsFor(cause),
): StateError {
  const why = safeText(reasonOf(cause) || String(cause), 400);
  return new StateError('STORE_UNAVAILABLE', `the state store ${location} is unavailable: ${why}`, {
    cause,
    ...hints,
  });
}

/** The text of the first element of a name. Names of objects and codes have no character that XML escapes. */
function textIn(element: string, body: Buffer): string {
  const text = body.subarray(0, 100_000).toString('utf8');
  return new RegExp(`<${element}>([^<]*)</${element}>`).exec(text)?.[1] ?? '';
}
