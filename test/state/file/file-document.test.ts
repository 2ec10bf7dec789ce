import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
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
