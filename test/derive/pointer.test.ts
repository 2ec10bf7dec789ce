import { expect, test } from 'vitest';
import { isAtOrBelow, pointerOf } from '../../src/derive/pointer.ts';

test.each([
  [[], ''],
  [['description'], '/description'],
  [['hostports', 0], '/hostports/0'],
  [['add', 'a/b~c'], '/add/a~1b~0c'],
])('%j is the pointer %j', (path, pointer) => {
  expect(pointerOf(path)).toBe(pointer);
});

test.each([
  ['/oauth', ['/oauth'], true],
  ['/oauth/provider', ['/saml', '/oauth'], true],
  ['/oauth', ['/oauth/provider'], false],
  ['/oauth_2', ['/oauth'], false],
  ['/oauth', [], false],
])('%s is at or below %j: %s', (pointer, above, is) => {
  expect(isAtOrBelow(pointer, above)).toBe(is);
});
