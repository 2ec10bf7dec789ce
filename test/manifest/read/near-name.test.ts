import { expect, test } from 'vitest';
import { nearName, referenceHint } from '../../../src/manifest/read/near-name.ts';

const others = Array.from({ length: 500 }, (_, n) => `resource-${n}`);

test('of many names, the first 500 are compared with what was written', () => {
  expect(nearName('shpo', [...others.slice(1), 'shop'])).toContain('shop');
  expect(nearName('shpo', [...others, 'shop'])).toBeUndefined();
});

test('a reference to no manifest is misspelled, or its resource was removed', () => {
  expect(referenceHint('shpo', ['shop'])).toMatch(/shop.* If the manifest of the resource was removed/);
  expect(referenceHint('shpo', others)).toBe('add a manifest for the resource, or remove the reference');
});
