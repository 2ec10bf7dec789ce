import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceFile } from '../../src/files/replace-file.ts';
import { removeLeftovers } from '../../src/state/file/remove-leftovers.ts';
import { endingsOfTheDead } from '../state/file/temporary-names.ts';

test.each(['x'.repeat(255), `${'ä'.repeat(127)}x`])(
  'a file whose name is as long as names can be is replaced',
  async (name) => {
    const dir = await mkdtemp(join(tmpdir(), 'sluice-replace-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const path = join(dir, name);
    for (const text of ['before', 'after']) {
      await replaceFile(path, text);
      expect(await readFile(path, 'utf8')).toBe(text);
    }
    expect(await readdir(dir)).toEqual([name]);
  },
);

test('what a dead process was writing in the place of a file with a long name is removed', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-replace-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const name = 'x'.repeat(255);
  let temporary = '';
  const noted = replaceFile(join(dir, name), 'text', {
    mayReplace: (written) => {
      temporary = written;
      return Promise.reject(new Error('not now'));
    },
  });
  await expect(noted).rejects.toThrow('not now');
  await writeFile(temporary.replace(/tmp-[^.]+$/, endingsOfTheDead[0] ?? ''), 'half');
  expect(await readdir(dir)).toHaveLength(1);
  await removeLeftovers(dir, name);
  expect(await readdir(dir)).toEqual([]);
});
