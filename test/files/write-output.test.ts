import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeOutput } from '../../src/files/write-output.ts';

describe.skipIf(process.platform === 'win32')('what is at the path of an output stays what it is', () => {
  test('a missing file is made, of its owner alone', async () => {
    const path = join(directory(), 'out');
    await writeOutput(path, 'new');
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o600]);
  });

  test('a file is replaced, with the mode asked for', async () => {
    const path = join(directory(), 'out');
    writeFileSync(path, 'old and longer');
    await writeOutput(path, 'new', 0o644);
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o644]);
  });

  test('a link stays, also one through another, and the file at its end is replaced', async () => {
    const dir = directory();
    writeFileSync(join(dir, 'file'), 'old');
    symlinkSync('file', join(dir, 'near'));
    symlinkSync('near', join(dir, 'far'));
    await writeOutput(join(dir, 'far'), 'new');
    expect(lstatSync(join(dir, 'far')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dir, 'file'), 'utf8')).toBe('new');
    expect(lstatSync(join(dir, 'file')).isFile()).toBe(true);
  });

  test.each(['pipe', 'link'])('a pipe takes all of it, however long, where somebody reads (%s)', async (name) => {
    const dir = directory();
    execFileSync('mkfifo', [join(dir, 'pipe')]);
    symlinkSync('pipe', join(dir, 'link'));
    const text = 'line\n'.repeat(100_000);
    const reader = readAll(join(dir, 'pipe'));
    await writeOutput(join(dir, name), text);
    expect(await reader.end()).toBe(text);
    expect(statSync(join(dir, 'pipe')).isFIFO()).toBe(true);
  });

  test('a pipe that nobody reads is refused at once', async () => {
    const path = join(directory(), 'pipe');
    execFileSync('mkfifo', [path]);
    await expect(writeOutput(path, 'new')).rejects.toThrow('no process reads from the pipe');
    expect(statSync(path).isFIFO()).toBe(true);
  });

  test('a link out of its directory is refused: who commits one to a checkout chooses no file elsewhere', async () => {
    const dir = directory();
    mkdirSync(join(dir, 'checkout'));
    writeFileSync(join(dir, 'mine'), 'mine');
    symlinkSync('../mine', join(dir, 'checkout', 'link'));
    symlinkSync('checkout', join(dir, 'way'));
    for (const way of ['checkout', 'way'])
      await expect(writeOutput(join(dir, way, 'link'), '')).rejects.toThrow('a file in another directory');
    expect(readFileSync(join(dir, 'mine'), 'utf8')).toBe('mine');
    await writeOutput(join(dir, 'way', 'new'), 'new');
    expect(readFileSync(join(dir, 'checkout', 'new'), 'utf8')).toBe('new');
  });

  test('a directory, a socket and a link that leads nowhere are refused', async () => {
    const dir = directory();
    mkdirSync(join(dir, 'directory'));
    symlinkSync('gone', join(dir, 'link'));
    const server = createServer().listen(join(dir, 'socket'));
    await new Promise((listening) => server.once('listening', listening));
    onTestFinished(() => void server.close());
    await expect(writeOutput(join(dir, 'directory'), '')).rejects.toThrow('the path is a directory');
    await expect(writeOutput(join(dir, 'socket'), '')).rejects.toThrow('the path is a socket');
    await expect(writeOutput(join(dir, 'link'), '')).rejects.toThrow('the path is a broken link');
    expect(lstatSync(join(dir, 'link')).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(dir, 'socket')).isSocket()).toBe(true);
  });

  test.skipIf(!mayMakeDevices())('a character device is written to, and a block device is refused', async () => {
    const dir = directory();
    execFileSync('mknod', [join(dir, 'null'), 'c', '1', '3']);
    execFileSync('mknod', [join(dir, 'full'), 'c', '1', '7']);
    execFileSync('mknod', [join(dir, 'disk'), 'b', '7', '255']);
    await writeOutput(join(dir, 'null'), 'new');
    await expect(writeOutput(join(dir, 'full'), 'new')).rejects.toMatchObject({ code: 'ENOSPC' });
    await expect(writeOutput(join(dir, 'disk'), 'new')).rejects.toThrow('the path is a block device');
    expect(['null', 'full'].map((name) => statSync(join(dir, name)).isCharacterDevice())).toEqual([true, true]);
    expect(statSync(join(dir, 'disk')).isBlockDevice()).toBe(true);
  });
});

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-output-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

// The pipe is open here until all is written, so that no time passes without a reader.
function readAll(path: string): { readonly end: () => Promise<string> } {
  const held = openSync(path, 'r+');
  const reader = spawn('cat', [path]);
  const chunks: Buffer[] = [];
  reader.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise((done) => reader.on('close', done));
  const end = async (): Promise<string> => {
    closeSync(held);
    await closed;
    return Buffer.concat(chunks).toString();
  };
  return { end };
}

// Only root may, and not in every container.
function mayMakeDevices(): boolean {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-output-'));
  try {
    execFileSync('mknod', [join(dir, 'null'), 'c', '1', '3'], { stdio: 'ignore' });
    writeFileSync(join(dir, 'null'), '');
    return true;
  } catch {
    return false;
  } finally {
    rmSync(dir, { recursive: true });
  }
}
