import { describe, expect, test } from 'vitest';
import { orderStacks } from '../../../src/stack/all/order-stacks.ts';

function ordered(stacks: readonly string[], needs: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return orderStacks(stacks, (stack) => needs[stack] ?? []);
}

describe('the order of stacks', () => {
  test('is as given where none depends on another', () => {
    expect(ordered(['a', 'b', 'c'], {})).toEqual(['a', 'b', 'c']);
  });

  test('has a stack after those that it depends on, and the others as given', () => {
    expect(ordered(['a', 'b', 'c', 'd'], { a: ['d'], b: ['a', 'c'] })).toEqual(['d', 'a', 'c', 'b']);
  });

  test('does not count a dependency outside of the run', () => {
    expect(ordered(['shop'], { shop: ['../network'] })).toEqual(['shop']);
  });

  test.each<{ readonly needs: Readonly<Record<string, readonly string[]>>; readonly cycle: string }>([
    { needs: { a: ['a'] }, cycle: 'a -> a' },
    { needs: { a: ['b'], b: ['c'], c: ['b'] }, cycle: 'b -> c -> b' },
  ])('is refused for a cycle, which the error names: $cycle', ({ needs, cycle }) => {
    expect(() => ordered(['a', 'b', 'c'], needs)).toThrow(`the stacks depend on each other: ${cycle}`);
  });
});
