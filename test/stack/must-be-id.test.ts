import { expect, test } from 'vitest';
import { mustBeIdArgument } from '../../src/stack/usage-error.ts';

test('an argument that cannot be an id is refused before anything is asked of the service', () => {
  expect(() => mustBeIdArgument('ra_2shopA7kq')).not.toThrow();
  for (const text of ['', '../edges', 'ra_1?force=1', 'ra 1'])
    expect(() => mustBeIdArgument(text)).toThrow(`${JSON.stringify(text)} is not an id`);
});
