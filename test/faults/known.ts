import type { Violation } from './oracles.ts';

/**
 * Bugs that the matrix has found and that are not mended yet, so that others are not lost among them.
 *
 * A plan that takes up an interrupted trade of matches gives the catcher its backend back one step too early
 * (src/plan/order-traffic.ts): shop:next is still parked then.
 */
export function knownBug(violations: readonly Violation[]): boolean {
  return violations.every(({ oracle, what }) => oracle === 9 && what.startsWith('shop.example.com:443/n'));
}
