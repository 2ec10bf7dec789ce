import { expect, test } from 'vitest';
import { maskOf } from '../../../src/diagnostics/secret-mask.ts';
import { s3Refusal } from '../../../src/state/s3/s3-errors.ts';

/** How a bucket's answer is reported, whose service repeats the key that it was sent. */
function refusal(status: number, body = '') {
  const answer = { status, etag: undefined, body: Buffer.from(body), mask: maskOf(['s3cret-of-the-tests']) };
  const { code, message } = s3Refusal(answer, 's3://states/');
  return `${code}: ${message.replace('the state store s3://states/', 'it')}`;
}

const error = (code: string, message: string): string =>
  `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;

test.each<[number, string, string]>([
  [401, '', 'STORE_ACCESS_DENIED: it refuses access: HTTP 401'],
  [
    403,
    error('SignatureDoesNotMatch', 's3cret-of-the-tests is wrong'),
    'STORE_ACCESS_DENIED: it refuses access: HTTP 403, SignatureDoesNotMatch, (secret) is wrong',
  ],
  [404, error('NoSuchBucket', ''), 'STORE_NOT_FOUND: it: HTTP 404, NoSuchBucket'],
  [
    404,
    'not found',
    'STORE_UNAVAILABLE: it is unavailable: HTTP 404; the response lacks the S3 error code NoSuchKey, so it may come from a proxy',
  ],
  [301, '', 'STORE_REQUEST_REFUSED: it refuses the request: HTTP 301'],
  [307, '', 'STORE_REQUEST_REFUSED: it refuses the request: HTTP 307'],
  [400, error('InvalidRequest', ''), 'STORE_REQUEST_REFUSED: it refuses the request: HTTP 400, InvalidRequest'],
  [400, error('RequestTimeout', ''), 'STORE_UNAVAILABLE: it is unavailable: HTTP 400, RequestTimeout'],
  [501, '', 'STORE_CANNOT_SWAP: it has no conditional writes: HTTP 501'],
  ...['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired'].map((code): [number, string, string] => [
    400,
    error(code, ''),
    `STORE_ACCESS_DENIED: it refuses access: HTTP 400, ${code}`,
  ]),
  ...['IncompleteBody', 'BadDigest', 'XAmzContentSHA256Mismatch'].map((code): [number, string, string] => [
    400,
    error(code, ''),
    `STORE_UNAVAILABLE: it is unavailable: HTTP 400, ${code}`,
  ]),
  [503, '<html>', 'STORE_UNAVAILABLE: it is unavailable: HTTP 503'],
])('a bucket that answers %i %s: %s', (status, body, reported) => {
  expect(refusal(status, body)).toBe(reported);
});
