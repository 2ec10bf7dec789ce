import { expect, test } from 'vitest';
import { cachedDigests } from '../../../src/watch/decide/cached-digests.ts';

test('what is asked for in every turn is digested once; what was not asked for in the last is forgotten', () => {
  const made: string[] = [];
  const digests = cachedDigests((text) => {
    made.push(text);
    return `digest of ${text}`;
  });
  for (let turn = 0; turn < 1_000; turn++) {
    digests.nextRound();
    expect(digests.of('stays')).toBe('digest of stays');
    if (turn === 3) digests.of('rotated');
  }
  digests.of('rotated');
  expect(made).toEqual(['stays', 'rotated', 'rotated']);
});
