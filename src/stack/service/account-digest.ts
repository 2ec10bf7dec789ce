import { createHash } from 'node:crypto';

/** What an account is reached by. */
export interface AccountAccess {
  readonly baseUrl: string;
  readonly key: string;
}

/** Identifies accounts without keeping their keys: an account is an address of the service and a key. */
export function accountDigest({ baseUrl, key }: AccountAccess): string {
  return createHash('sha256').update(`${baseUrl}\n${key}`).digest('base64');
}
