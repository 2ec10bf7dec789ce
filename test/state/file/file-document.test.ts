import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileDocument } from '../../../src/state/file/file-document.ts';

test('a document that cannot be written reports which file, why, and what to do', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-document-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 'watch-state.json');
  mkdirSync(path);
  await expect(fileDocument(path).update(() => '{}')).rejects.toMatchObject({
    code: 'FILE_NOT_WRITTEN',
    message: `${path} cannot be written: the path is a directory (EISDIR)`,
    hint: 'rename the directory, or use another path',
  });
});

test('of updates at once, each is made to what the others left, so that an approval does not undo a pause', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-document-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 'watch-requests.json');
  const names = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(
    names.map((name) => fileDocument(path).update((read) => ('text' in read ? `${read.text}${name}` : name))),
  );
  const read = await fileDocument(path).read();
  expect('text' in read && read.text.split('').sort()).toEqual(names);
  expect(readdirSync(dir)).toEqual(['watch-requests.json']);
});
