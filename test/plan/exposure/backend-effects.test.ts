import { expect, test } from 'vitest';
import type { Access } from '../../../src/plan/exposure/access.ts';
import { backendHazards } from '../../../src/plan/exposure/backends/backend-hazards.ts';
import type { BackendOpening } from '../../../src/plan/exposure/backends/backend-openings.ts';

test('what a backend required before is digested once for all URLs that open it, and only where plans are compared', () => {
  let digested = 0;
  class Counted extends Map<string, Access> {
    override values() {
      digested += 1;
      return super.values();
    }
  }
  const before = { accesses: new Counted(), least: [], routes: [], key: 'backend', isRemembered: false };
  const opening = (_: unknown, index: number): BackendOpening => ({
    backend: { id: 'bkdhr_a', shown: 'bkdhr_a' },
    url: `https://shop.example.com/${String(index)}`,
    step: { address: `HTTPSEdgeRoute/shop:/${String(index)}` } as BackendOpening['step'],
    missing: [],
    before,
    after: { reach: 'nowhere' } as unknown as Access,
  });
  const hazards = backendHazards(Array.from({ length: 500 }, opening), (text) => text);
  expect([hazards.length, digested]).toEqual([500, 0]);
  expect(new Set(hazards.flatMap(({ effects = [] }) => effects.map((one) => one.before))).size).toBe(1);
  expect(digested).toBe(1);
});
