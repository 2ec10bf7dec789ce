import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { libraryContext } from '../../src/stack/library-context.ts';
import { stateAtHand } from '../../src/stack/open-state.ts';
import { watchStack } from '../../src/watch/watch-stack.ts';
import { gitStack } from '../support/git-stack.ts';
import { until } from '../support/until.ts';
import { stackFiles } from './fleet/start-fleet.ts';

test('a commit that changes nothing in the account is recorded as applied all the same', async () => {
  const { url, close } = await createEmulator().listen({});
  const files = stackFiles('shop', 'shop', '5c1e7a90');
  const repository = await gitStack(files);
  const options = {
    dir: join(repository.dir, 'shop'),
    env: { ...process.env, SLUICE_API_KEY: 'k3y', SLUICE_BASE_URL: url },
  };
  const over = new AbortController();
  const ended = watchStack({ ...options, signal: over.signal, listen: false });
  onTestFinished(async () => {
    over.abort();
    await ended;
    await close();
  });
  const applied = async () => (await stateAtHand(libraryContext(options), 'test'))?.applied?.commit;
  const first = repository.git('rev-parse', 'HEAD').trim();
  await until(async () => (await applied()) === first);
  const name = 'shop/manifests/all.yaml';
  const second = repository.commit({ [name]: `# A comment.\n${files[name] ?? ''}` });
  await until(async () => (await applied()) === second);
  expect(second).not.toBe(first);
});
