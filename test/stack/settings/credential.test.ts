import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { credential, credentialFile, latestCredential } from '../../../src/stack/settings/credential.ts';

const cwd = mkdtempSync(join(tmpdir(), 'sluice-credential-'));
writeFileSync(join(cwd, 'key'), ' from file\n');
afterAll(() => rmSync(cwd, { recursive: true }));

test.each([
  { what: 'its variable', env: { KEY: 'from env' }, text: 'from env', file: undefined },
  { what: 'the file that is named', env: { KEY_FILE: 'key' }, text: 'from file', file: join(cwd, 'key') },
  {
    what: 'its variable before the file',
    env: { KEY: 'from env', KEY_FILE: 'missing' },
    text: 'from env',
    file: undefined,
  },
  {
    what: 'the file where its variable is empty',
    env: { KEY: '', KEY_FILE: 'key' },
    text: 'from file',
    file: join(cwd, 'key'),
  },
  { what: 'nothing where both are empty', env: { KEY: '', KEY_FILE: '' }, text: undefined, file: undefined },
  { what: 'nothing where neither is set', env: {}, text: undefined, file: undefined },
])('a credential comes from $what', ({ env, text, file }) => {
  expect(credential('KEY', { env, cwd })).toBe(text);
  expect(latestCredential('KEY', { env, cwd })).toBe(text);
  expect(credentialFile('KEY', { env, cwd })).toBe(file);
});

describe('a file that cannot be read', () => {
  const io = { env: { KEY_FILE: 'missing' }, cwd };

  test('is an error that names the variable and what it must be set to, but not its value, which may be the credential', () => {
    const hint = 'set KEY_FILE to the path of a readable file that contains the value of KEY';
    expect(() => credential('KEY', io)).toThrow(
      expect.objectContaining({ message: 'KEY_FILE: the file does not exist', hint }),
    );
  });

  test('is as good as none where the latest is asked for', () => {
    expect(latestCredential('KEY', io)).toBeUndefined();
  });
});
