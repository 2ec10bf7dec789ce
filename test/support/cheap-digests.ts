import { createHash } from 'node:crypto';
import { vi } from 'vitest';
import * as digests from '../../src/state/digest.ts';

/** Has digests of secrets cost nothing: that they are slow to guess from is no matter here. */
export function cheapDigests(): void {
  vi.spyOn(digests, 'createDigester').mockImplementation(
    (salt) => (text) => `scrypt-4096:${createHash('sha256').update(`${salt} ${text}`).digest('base64url')}`,
  );
}
