import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readAccount, writeAccount } from '../../src/emulator/data-file.ts';
import { withRoute } from './support/setup.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-emulator-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('an account is kept in a file for its owner alone, and read back equal', async () => {
  const { emulator } = await withRoute({ webhook_verification: { provider: 'github', secret: 's3cret' } });
  const file = join(folder, 'account.json');
  await writeAccount(file, emulator.snapshot());
  expect(await readAccount(file)).toEqual(emulator.snapshot());
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['account.json']);
});

test('no file is no account yet', async () => {
  expect(await readAccount(join(folder, 'account.json'))).toBeUndefined();
});

test.each(['{"format": 1', '{"format": 2, "secret": "s3cret"}', '[]'])(
  'a file that holds something else is refused without repeating it: %s',
  async (text) => {
    const file = join(folder, 'account.json');
    await writeFile(file, text);
    const refused = expect(readAccount(file)).rejects;
    await refused.toThrow(/does not hold an account of this emulator/);
    await expect(readAccount(file)).rejects.not.toThrow(/s3cret/);
  },
);
