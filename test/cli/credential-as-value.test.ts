import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { company, directory, sluice, stack, stackFile } from './terminal.ts';

const key = 'canary-key-of-the-operator';
const hook = 'https://hooks.example.com/canary';
const file = `${stackFile.replace('vendor', 'key: {from_env: SLUICE_SHOP_KEY}, vendor')}watch: {notify: [{url: {from_env: SLUICE_HOOK_URL}}]}\n`;
const env = { SLUICE_SHOP_KEY: key, SLUICE_HOOK_URL: hook, OTHER: `Bearer ${key}`, COPY: hook };

/** A stack whose first description comes from somewhere. */
function described(from: string): Promise<string> {
  return stack(company.replace('Sensors', `{${from}}`), file);
}

describe('a credential of sluice is no value of a manifest', () => {
  test.each([
    'from_env: SLUICE_SHOP_KEY',
    'from_env: SLUICE_API_KEY',
    'from_env: SLUICE_API_KEY_FILE',
    'from_env: SLUICE_HOOK_URL',
    'from_env: SLUICE_ANY_OTHER_KEY',
    'from_env: OTHER',
    'from_env: COPY',
    'from_file: ../key.txt',
    'from_file: ../letter.txt',
  ])('%s', async (from) => {
    const dir = await described(from);
    writeFileSync(join(dir, 'key.txt'), `${key}\n`);
    writeFileSync(join(dir, 'letter.txt'), `The key is ${key}.\n`);
    for (const args of ['validate', 'plan --format json', 'apply --auto-approve']) {
      const ended = await sluice(dir, args, { env });
      expect(ended).toMatchObject({ code: 8, err: expect.stringContaining('error[CREDENTIAL_AS_VALUE]') as string });
      expect(JSON.stringify(ended)).not.toContain('canary');
    }
  });

  test('nor where it comes from a file', async () => {
    const kept = await directory({ key });
    const dir = await described('from_env: OTHER');
    const ended = await sluice(dir, 'plan', { env: { SLUICE_API_KEY_FILE: join(kept, 'key'), OTHER: key } });
    expect(ended).toMatchObject({ code: 8, err: expect.stringContaining('CREDENTIAL_AS_VALUE') as string });
  });

  test('other variables and texts are, also one in which a short key stands by chance', async () => {
    for (const from of ['from_env: SLUICE_VAR_TEXT', 'from_env: TEXT', 'from_file: ../text.txt']) {
      const dir = await described(from);
      writeFileSync(join(dir, 'text.txt'), 'Sensors of a key');
      const texts = { SLUICE_VAR_TEXT: 'Sensors of a key', TEXT: 'Sensors of a key' };
      expect((await sluice(dir, 'validate', { env: { ...texts, SLUICE_API_KEY: 'key' } })).code).toBe(0);
    }
  });
});
