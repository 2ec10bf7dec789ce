import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { movedText } from '../../src/state/moved-away.ts';
import { directory, sluice, stackFile } from './terminal.ts';

test.each([
  'plan',
  'pause --for 1h',
  'resume',
  `approve sha256:${'0'.repeat(64)} --auto-approve`,
  'history',
  'history 0d44e1f7',
  'state lock',
  'status',
  'reconcile',
])('in a checkout that still has the old setting, %s is refused and names the new place', async (words) => {
  const dir = await directory({
    'sluice.yaml': stackFile,
    '.sluice/state.json': movedText('/srv/new/state.json on sluice-1'),
  });
  const ended = await sluice(dir, words);
  expect(ended).toMatchObject({ code: 8, out: '' });
  expect(ended.err).toContain('was moved to /srv/new/state.json on sluice-1');
  expect(await readdir(join(dir, '.sluice'))).toEqual(['state.json']);
});
