import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce, inSlices, sortSliced } from '../../src/model/sliced.ts';

const byKey = (a: { readonly key: number }, b: { readonly key: number }): number => a.key - b.key;

test('items that are put in order in steps are in the order of a stable sort', () => {
  const keys = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 1_200, size: 'max' });
  fc.assert(
    fc.property(keys, (given) => {
      const items = given.map((key, place) => ({ key, place }));
      expect(atOnce(sortSliced(items, byKey))).toEqual(items.toSorted(byKey));
    }),
    { numRuns: 40 },
  );
});

test('no step of putting 10,000 items in order compares more than a few thousand times', async () => {
  const items = Array.from({ length: 10_000 }, (_, n) => ({ key: (n * 7_919) % 10_000 }));
  let [compared, most] = [0, 0];
  const counting = (a: { readonly key: number }, b: { readonly key: number }): number => {
    compared += 1;
    return byKey(a, b);
  };
  await inSlices(sortSliced(items, counting), () => {
    most = Math.max(most, compared);
    compared = 0;
    return undefined;
  });
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(3_000);
});
