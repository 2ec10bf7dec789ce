import { scryptSync } from 'node:crypto';

// About 8 ms and 4 MB each. The file is its owner's alone and most secrets are made by machines; a stack with
// thousands of them must still be planned in seconds.
const cost = { N: 4096, r: 8, p: 1 };

// A plan needs the digests of the same texts in several places, and a watch in every round.
const latest = new Map<string, Map<string, string>>();
const most = { salts: 4, texts: 10_000 };

/** Creates digests of secrets for state: equal for equal texts under one salt, and slow to brute-force. */
export function createDigester(salt: string): (text: string) => string {
  const known = latest.get(salt) ?? new Map<string, string>();
  latest.delete(salt);
  latest.set(salt, known);
  for (const oldest of [...latest.keys()].slice(0, -most.salts)) latest.delete(oldest);
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const digest = `scrypt-${cost.N}:${scryptSync(text, salt, 24, cost).toString('base64url')}`;
    if (known.size >= most.texts) known.clear();
    known.set(text, digest);
    return digest;
  };
}
