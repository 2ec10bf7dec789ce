import { expect, test } from 'vitest';
import { sluice, stack } from './terminal.ts';

test('a plan in a file whose name begins with a dash is advised to be applied by a name that is no flag', async () => {
  const dir = await stack();
  const { err } = await sluice(dir, 'plan --out=-x.plan');
  const [, advised = ''] = /run: sluice (apply .*)$/m.exec(err) ?? [];
  expect(advised).toMatch(/^apply \.\/-x\.plan --digest sha256:/);
  expect((await sluice(dir, advised)).code).toBe(0);
});
