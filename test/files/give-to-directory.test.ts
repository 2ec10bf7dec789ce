import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { replaceFile } from '../../src/files/replace-file.ts';

const other = 65_534;
const leftOut = process.getuid?.() === 0 ? '' : ' (LEFT OUT: only root can give files away)';

describe.skipIf(leftOut !== '')(`a file that a stack keeps, written by root${leftOut}`, () => {
  test.each([
    ['0700', 0o700, other, 0o600],
    ['0755', 0o755, other, 0o600],
    ['0770: the group as well', 0o770, other, 0o660],
    ['0777: nothing changes', 0o777, 0, 0o600],
    ['1777: nothing changes', 0o1777, 0, 0o600],
  ])('in a directory of another user, mode %s', async (_, mode, owner, then) => {
    const path = join(directory(mode), 'state.json');
    await replaceFile(path, 'text', { isKept: true });
    expect(statSync(path)).toMatchObject({ uid: owner, gid: owner, mode: 0o100000 | then });
  });

  test('a link in its place is replaced, and what the link points at stays with its owner', async () => {
    const [path, target] = [join(directory(0o700), 'state.json'), join(directory(0o700), 'passwd')];
    writeFileSync(target, 'root', { mode: 0o644 });
    symlinkSync(target, path);
    await replaceFile(path, 'text', { isKept: true });
    expect(statSync(target)).toMatchObject({ uid: 0, gid: 0, size: 4 });
    expect(statSync(path)).toMatchObject({ uid: other });
  });

  test('any other file stays with who wrote it', async () => {
    const path = join(directory(0o770), 'saved.plan');
    await replaceFile(path, 'text');
    expect(statSync(path)).toMatchObject({ uid: 0, gid: 0, mode: 0o100600 });
  });
});

function directory(mode: number): string {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-owner-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  chownSync(dir, other, other);
  chmodSync(dir, mode);
  return dir;
}
