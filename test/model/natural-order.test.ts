import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inNaturalOrder } from '../../src/model/natural-order.ts';

test.each([
  [
    ['r10', 'r2', 'r1'],
    ['r1', 'r2', 'r10'],
  ],
  [
    ['shop:/v10/a', 'shop:/v9/b', 'shop:/v9/a'],
    ['shop:/v9/a', 'shop:/v9/b', 'shop:/v10/a'],
  ],
  [
    ['b', 'a10', 'a', 'a9b'],
    ['a', 'a9b', 'a10', 'b'],
  ],
  [
    ['r02', 'r2', 'r1'],
    ['r1', 'r02', 'r2'],
  ],
])('%j are listed as %j', (names, sorted) => {
  expect(names.toSorted(inNaturalOrder)).toEqual(sorted);
});

test('any names have one order, whichever they come in', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '0', '1', '2', '10', '-') });
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 8 }), (names) => {
      const sorted = names.toSorted(inNaturalOrder);
      expect(names.toReversed().sort(inNaturalOrder)).toEqual(sorted);
      sorted.forEach((one, at) => {
        for (const later of sorted.slice(at + 1)) expect(inNaturalOrder(one, later)).toBeLessThan(0);
      });
    }),
  );
});
