import { scryptSync } from 'node:crypto';

// About 8 ms and 4 MB each. The file is its owner's alone and most secrets are made by machines; a stack with
// thousands of them must still be planned in seconds.
const cost = { N: 4096, r: 8, p: 1 };

/** Creates digests of secrets for state: equal for equal texts under one salt, and slow to brute-force. */
export function createDigester(salt: string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const digest = known.get(text) ?? `scrypt-${cost.N}:${scryptSync(text, salt, 24, cost).toString('base64url')}`;
    known.set(text, digest);
    return digest;
  };
}
