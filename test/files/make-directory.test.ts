import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDirectory } from '../../src/files/make-directory.ts';

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-make-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

test('a directory is made with those above it, also by two at the same time, and may be there', async () => {
  const path = join(directory(), 'a', 'b', 'c');
  await Promise.all([makeDirectory(path), makeDirectory(path)]);
  await makeDirectory(path);
  expect(statSync(path).isDirectory()).toBe(true);
});

test('below a file or a link to nothing, none is made', async () => {
  const dir = directory();
  writeFileSync(join(dir, 'file'), '');
  symlinkSync('nowhere', join(dir, 'link'));
  await expect(makeDirectory(join(dir, 'link', 'below'))).rejects.toThrow('ENOENT');
  await expect(makeDirectory(join(dir, 'file', 'below'))).rejects.toThrow('ENOTDIR');
});

test.skipIf(process.platform !== 'linux')(
  'where nothing can be made, as in /proc, that is an error and not an endless search',
  async () => {
    for (const path of ['/proc/sluice', '/proc/sluice/below'])
      await expect(makeDirectory(path)).rejects.toThrow('ENOENT');
  },
);
