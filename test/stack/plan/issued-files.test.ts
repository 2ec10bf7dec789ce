import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DesiredStack } from '../../../src/model/resource.ts';
import { readIssuedFiles, writeIssued } from '../../../src/stack/plan/issued-files.ts';
import { directory } from '../../cli/terminal.ts';

/** A stack of which each resource wants its certificate in a file; undefined: in none. */
function wanting(...paths: readonly (string | undefined)[]): DesiredStack {
  const resources = paths.map((path) => ({ lifecycle: path === undefined ? {} : { certificate_file: path } }));
  return { resources } as unknown as DesiredStack;
}

test('a file that is not there is to be written; one that is no text, or no file, is there and differs', async () => {
  const dir = await directory({ 'a-cert.pub': 'a certificate\n' });
  writeFileSync(join(dir, 'binary'), Buffer.from([0xff, 0xfe, 0x00]));
  mkdirSync(join(dir, 'folder'));
  expect([...readIssuedFiles(dir, wanting('a-cert.pub', undefined, 'missing', 'binary', 'folder'))]).toEqual([
    ['a-cert.pub', 'a certificate\n'],
    ['missing', undefined],
    ['binary', ''],
    ['folder', ''],
  ]);
});

test('a certificate is written for all users to read, in a directory that is made for it', async () => {
  const dir = await directory();
  await writeIssued(dir, 'hosts/db-cert.pub', 'a certificate\n');
  expect(readFileSync(join(dir, 'hosts/db-cert.pub'), 'utf8')).toBe('a certificate\n');
  expect((statSync(join(dir, 'hosts/db-cert.pub')).mode & 0o777).toString(8)).toBe('644');
});

test('a link that leads out of the stack since the plan is not followed', async () => {
  const [dir, outside] = [await directory({ 'hosts/db-cert.pub': '' }), await directory()];
  rmSync(join(dir, 'hosts'), { recursive: true });
  symlinkSync(outside, join(dir, 'hosts'));
  await expect(writeIssued(dir, 'hosts/db-cert.pub', 'a certificate\n')).rejects.toThrow('outside of the stack');
});
