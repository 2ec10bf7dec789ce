import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts';
import { logManifests } from '../../../src/watch/log-lines.ts';

test('a new revision is a line, and so is each error in its manifests; warnings are none', () => {
  const place = { file: 'a.yaml', line: 2, col: 3, excerpt: '', span: 1 };
  const error: Diagnostic = { code: 'UNKNOWN_FIELD', severity: 'error', message: 'unknown field `x`' };
  const diagnostics: Diagnostic[] = [
    { ...error, place, hint: 'did you mean `y`?' },
    { ...error, severity: 'warning', message: 'deprecated' },
    error,
  ];
  const logged: unknown[] = [];
  logManifests(
    (level, event, message, fields) => void logged.push([`${level} ${event}: ${message}`, fields]),
    { resources: [], diagnostics, complete: true },
    { content: 'e01f55aa9c21', commit: 'c0ffee' },
    { files: ['a.yaml', 'b.yaml'], isAll: false, addresses: ['ReservedAddr/a'] },
  );
  expect(logged).toEqual([
    ['info revision: manifests loaded with 2 errors: 0 resources', { content: 'e01f55aa9c21', commit: 'c0ffee' }],
    ['error manifest: unknown field `x`', { code: 'UNKNOWN_FIELD', place: 'a.yaml:2:3', hint: 'did you mean `y`?' }],
    ['error manifest: unknown field `x`', { code: 'UNKNOWN_FIELD' }],
    [
      'warn kept: manifests have errors (a.yaml and b.yaml); nothing is deleted, and ReservedAddr/a keeps its last valid version',
      { files: 'a.yaml and b.yaml', resources: 'ReservedAddr/a' },
    ],
  ]);
  expect(Object.keys((logged as [string, object][])[2]?.[1] ?? {})).toEqual(['code']);
});
