import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keptDocuments } from '../../src/manifest/read/kept-documents.ts';
import { libraryContext } from '../../src/stack/library-context.ts';
import { openBackend } from '../../src/stack/open-backend.ts';
import { readStackConfig } from '../../src/stack/settings/stack-config.ts';
import { loadStack } from '../../src/watch/load-stack.ts';
import { settingTargets } from '../../src/watch/restart-settings.ts';
import { stack, stackFile } from '../cli/terminal.ts';

/** A stack as a watch loads it. */
async function loading() {
  const dir = await stack();
  const context = libraryContext({ dir, env: {} });
  const open = await readStackConfig(context);
  const backend = await openBackend(context, open);
  const lock = await backend.acquireLock('watch');
  onTestFinished(async () => {
    await lock.release();
    await backend.close();
  });
  const ignore = (): void => undefined;
  const load = () =>
    loadStack(context, dir, {
      ...{ parallelism: 1, documents: keptDocuments(), lock: () => lock, backend, onRequest: ignore, onRetry: ignore },
      atStart: { settings: open.settings, overridden: new Set(), targets: settingTargets(open, context) },
    });
  return { load, write: (text: string) => writeFileSync(join(dir, 'sluice.yaml'), text) };
}

test('a refresh has the settings that were read with the manifests, whatever has become of sluice.yaml since', async () => {
  const { load, write } = await loading();
  const { value } = await load();
  write('version: [');
  const found = await value.refresh(value.desired, new AbortController().signal, false);
  onTestFinished(found.close);
  expect(found.plan.changes.map(({ action, address }) => `${action} ${address}`)).toContain('create ReservedAddr/mqtt');
});

test('a sluice.yaml that is wrong, or whose change requires a restart, is not loaded', async () => {
  const { load, write } = await loading();
  write('version: [');
  await expect(load()).rejects.toMatchObject({ diagnostics: [{ code: 'SYNTAX_ERROR' }] });
  write(`${stackFile}state: {path: elsewhere.json}\n`);
  await expect(load()).rejects.toMatchObject({ diagnostics: [{ code: 'RESTART_REQUIRED' }] });
});
