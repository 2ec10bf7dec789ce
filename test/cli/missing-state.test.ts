import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { company, sluice, stack } from './terminal.ts';

const env = { SLUICE_API_KEY: 'k3y' };

test('a state that is gone, beside the records of runs, is a warning until it is written again', async () => {
  const dir = await stack(company);
  const warned = async (): Promise<boolean> =>
    (await sluice(dir, 'plan', { env })).err.includes(
      'warning[STATE_MISSING]: the state is missing, although the last run',
    );
  expect(await warned()).toBe(false);
  await sluice(dir, 'apply --auto-approve', { env });
  expect(await warned()).toBe(false);
  await rm(join(dir, '.sluice/state.json'));
  expect(await warned()).toBe(true);
  await sluice(dir, 'apply --auto-approve', { env });
  expect(await warned()).toBe(false);
});
