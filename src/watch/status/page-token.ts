import { createHash, timingSafeEqual } from 'node:crypto';
import { readSafely } from '../../files/safe-file.ts';
import { sharedAccess } from '../../files/shared-access.ts';
import type { PostedRequest } from './posted-request.ts';
import { textReply, type Reply } from './reply.ts';

/** Refuses a request without the token, and reports why. */
export type RequireToken = (request: PostedRequest, onRefused: (reason: string) => void) => Reply | undefined;

// So many wrong tokens within a minute, then none is compared for the rest of it.
const maxWrong = 5;
const minuteMs = 60_000;
const minTokenLength = 32;

/** Requires the token of a file in the Authorization header. All pages that take the token share one, so that they allow no more guesses than one page. */
export function requireToken(tokenFile: string, now: () => number): RequireToken {
  let wrong: readonly number[] = [];
  return (request, onRefused) => {
    wrong = wrong.filter((at) => now() - at < minuteMs);
    if (wrong.length >= maxWrong)
      return { ...textReply(429, 'too many wrong tokens; try again in a minute'), headers: { 'retry-after': '60' } };
    const expected = pageToken(tokenFile);
    if ('message' in expected) {
      onRefused(`the token file ${tokenFile} ${expected.message}`);
      return textReply(503, 'the token file cannot be used; see the log');
    }
    const [, given = ''] = /^Bearer (\S+)$/i.exec(request.headers['authorization']?.[0] ?? '') ?? [];
    if (isEqual(given, expected.token)) return undefined;
    wrong = [...wrong, now()];
    onRefused(`an approval from ${request.from ?? 'an unknown address'} had a wrong token`);
    return { ...textReply(401, 'the token is wrong'), headers: { 'www-authenticate': 'Bearer' } };
  };
}

/** The token in a file, or what is wrong with that file. */
export function pageToken(path: string): { readonly token: string } | { readonly message: string } {
  const read = readSafely(path);
  if ('code' in read) return read;
  const others = sharedAccess(path, 'read');
  if (others !== undefined) return { message: `can be read by ${others}` };
  const token = read.text.trim();
  if (token.length < minTokenLength || /\s/.test(token))
    return { message: `must contain one token of at least ${String(minTokenLength)} characters` };
  return { token };
}

/** Compares in a time that does not depend on what is equal. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
