import { expect, test } from 'vitest';
import { createDigester } from '../../src/state/digest.ts';

test('a digest is the same for the same secret under the same salt, in any run', () => {
  expect(createDigester('salt')('hunter2')).toBe(createDigester('salt')('hunter2'));
});

test('a digest tells neither the secret nor, under another salt, that it is the same one', () => {
  const digest = createDigester('salt')('hunter2');
  expect(digest).not.toContain('hunter2');
  expect(createDigester('pepper')('hunter2')).not.toBe(digest);
  expect(createDigester('salt')('hunter3')).not.toBe(digest);
});

test('a digest names how it was made, so that another way of making it is recognized', () => {
  expect(createDigester('salt')('hunter2')).toMatch(/^scrypt-4096:[\w-]{32}$/);
});
