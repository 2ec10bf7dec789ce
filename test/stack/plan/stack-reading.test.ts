import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { readStack } from '../../../src/stack/plan/stack-reading.ts';
import { readStackConfig } from '../../../src/stack/settings/stack-config.ts';
import { company, stackFile } from '../../cli/terminal.ts';
import { gitStack } from '../../support/git-stack.ts';

test('whether files are committed is asked of git again if git could not tell: a watch keeps what it has read', async () => {
  const { dir } = await gitStack({ 'sluice.yaml': stackFile, 'manifests/company.yaml': company });
  const context = libraryContext({ dir, env: process.env });
  const open = await readStackConfig(context);
  const options = { inputs: open.settings.manifests, whole: true, missingValues: 'error' } as const;
  const { checkout } = await readStack(context, open, options);
  const [objects, aside] = [join(dir, '.git/objects'), join(dir, '.git/aside')];
  renameSync(objects, aside);
  expect(await checkout?.uncommitted()).toBeUndefined();
  renameSync(aside, objects);
  expect(await checkout?.uncommitted()).toBe(false);
});
