import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SluiceError } from '../../src/diagnostics/errors.ts';
import { lockLost } from '../../src/state/remote/lease-record.ts';
import { unsettled } from '../../src/state/remote/settled-swap.ts';
import { failureDetails } from '../../src/watch/failures.ts';

test.each([
  [unsettled({ location: 's3://states' }, new Error('no route')), /^sluice retries automatically and finds created /],
  [lockLost(), undefined],
  [new SluiceError('FILE_NOT_WRITTEN', 'x', { hint: 'check the disk' }), /^check the disk$/],
])('a watch, which tries again automatically, asks nobody to run a command again: %s', (error, hint) => {
  const reported = failureDetails(error).hint;
  if (hint === undefined) expect(reported).toBeUndefined();
  else expect(reported).toMatch(hint);
});

// What only a command or the library does: a watch has no saved plans, and reads no snapshots.
const ofCommands =
  /^src\/(?:cli|emulator|plan\/saved|plan\/parts|stack\/plan\/plan-file|stack\/open-stack|diagnostics\/(?:remedies|failure-codes))/;

test('every hint to do something again reports what remains of it where a watch fails', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name}`)
    .filter((path) => path.endsWith('.ts') && !ofCommands.test(path));
  const lacking = sources.flatMap((path) => {
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.flatMap((line, n) => {
      const asks = /\bhint: .*(?:command|apply|plan)[\\`]* again|\bhint: .*try again/.test(line);
      return asks && !`${line}${lines[n + 1] ?? ''}`.includes('hintInWatch') ? [`${path}:${String(n + 1)}`] : [];
    });
  });
  expect(lacking).toEqual([]);
});
