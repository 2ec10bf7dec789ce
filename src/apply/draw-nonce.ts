import { randomUUID } from 'node:crypto';
import { NONCE_DIGITS } from '../derive/marker.ts';

/** Draws a nonce for a marker: what carries it was made by whoever drew it. */
export function drawNonce(): string {
  // The digits of a UUID before its version are all drawn, and many UUIDs at once: that is much cheaper.
  return randomUUID().replaceAll('-', '').slice(0, NONCE_DIGITS);
}
