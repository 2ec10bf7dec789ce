import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Refused, SluiceError } from '../../src/diagnostics/errors.ts';
import { systemFailure, systemReason, writeHint } from '../../src/diagnostics/system-reason.ts';

const refused = (code: string): Error =>
  Object.assign(new Error(`${code}: x`), { code, syscall: 'open', path: '/srv/state.json' });

test.each([
  ['ENOSPC', 'no space left on the disk (ENOSPC)', 'free space on the disk that contains the path'],
  ['EDQUOT', 'the disk quota is used up (EDQUOT)', 'free space on the disk that contains the path'],
  ['EACCES', 'permission denied (EACCES)', 'give the user that runs sluice permission to write to the path'],
  [
    'EROFS',
    'the file system is read-only (EROFS)',
    'mount the file system as writable, or use a path on another file system',
  ],
])('%s is reported in words, with what to do', (code, reason, hint) => {
  expect([systemReason(refused(code)), writeHint(refused(code))]).toEqual([reason, hint]);
  expect(systemFailure(refused(code))).toMatchObject({
    code: 'FILE_NOT_ACCESSIBLE',
    message: `/srv/state.json cannot be read or written: ${reason}`,
    hint: `${hint}, then run the command again`,
  });
});

test('what is unknown keeps its code or its words, and is no refusal of a file', () => {
  expect([systemReason(refused('EADDRINUSE')), systemReason(new Error('odd'))]).toEqual(['EADDRINUSE', 'odd']);
  expect(writeHint(new Error('odd'))).toBeUndefined();
  const defect = new TypeError('x is not a function');
  expect(systemFailure(defect)).toBe(defect);
  const known = new Refused('STATE_LOST', 'gone');
  expect(systemFailure(known)).toBe(known);
});

test('an error of Node itself is recognized', () => {
  let thrown: unknown;
  try {
    readFileSync('/proc/self/mem/none');
  } catch (error) {
    thrown = error;
  }
  expect(systemFailure(thrown)).toBeInstanceOf(SluiceError);
});
