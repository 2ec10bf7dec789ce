import { createHash } from 'node:crypto';
import { baseUrl } from '../../api/base-url.ts';

/** What an account is reached by. */
export interface AccountAccess {
  readonly baseUrl: string;
  readonly key: string;
}

/** Identifies accounts without keeping their keys: an account is an address of the service and a key. */
export function accountDigest({ baseUrl: text, key }: AccountAccess): string {
  const { origin, prefix } = baseUrl(text);
  return createHash('sha256').update(`${origin}${prefix}\n${key}`).digest('base64');
}
