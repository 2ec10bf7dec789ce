import { join } from 'node:path';
import { expect, test } from 'vitest';
import { libraryContext } from '../../src/stack/library-context.ts';
import { stateAtHand } from '../../src/stack/open-state.ts';
import { directory, sluice, stack } from '../cli/terminal.ts';

test('the state at hand is that of the stack in the directory, or of the one that is named', async () => {
  const dir = await stack();
  await sluice(dir, 'apply --auto-approve');
  const context = libraryContext({ dir: join(dir, 'manifests'), env: {} });
  const there = await stateAtHand(context, 'endpoints list');
  expect(Object.keys(there?.entries ?? {})).toContain('ReservedAddr/mqtt');
  const elsewhere = libraryContext({ dir: await directory(), env: {} });
  expect(await stateAtHand({ ...elsewhere, dir }, 'endpoints list')).toEqual(there);
});

test('without a stack there is none, and that is no error', async () => {
  const context = libraryContext({ dir: await directory(), env: {} });
  expect(await stateAtHand(context, 'endpoints list')).toBeUndefined();
});
