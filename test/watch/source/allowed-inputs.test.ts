import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readStackFile } from '../../../src/manifest/stack-file/stack-file.ts';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { allowedInputs } from '../../../src/watch/source/allowed-inputs.ts';
import { fileDigests } from '../../../src/watch/source/file-digests.ts';
import { keptInputs } from '../../../src/watch/source/kept-inputs.ts';
import { scanTree } from '../../../src/watch/source/tree-scan.ts';
import { temporaryFiles } from '../../support/manifests.ts';

const manifest = 'apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: mqtt}\n';

/** How many files a watch scans of a stack that names these manifests. */
function scanned(dir: string, env: Record<string, string> = {}): () => Promise<number> {
  const { file } = readStackFile(join(dir, 'sluice.yaml'));
  const context = { ...libraryContext({ dir, env }), isUnattended: true };
  const inputs = keptInputs((root) => allowedInputs(root, file!, context));
  const digests = fileDigests();
  return async () => (await scanTree({ dir, inputs, further: new Set(), digests })).files.size;
}

const stackWith = (manifests: string): string =>
  temporaryFiles({
    'sluice.yaml': `version: 1\nstack: {name: company, id: "5c1e7a90"}\nmanifests: [${manifests}]\n`,
    'manifests/a.yaml': manifest,
  });

test('a watch scans no manifests outside of the stack unless the operator allows them', async () => {
  const outside = temporaryFiles({ 'a.yaml': manifest });
  const dir = stackWith(outside);
  expect(await scanned(dir)()).toBe(1);
  expect(await scanned(dir, { SLUICE_SECRETS_DIRS: outside })()).toBe(2);
  expect(await scanned(stackWith('manifests'))()).toBe(2);
});

test('a link that leads outside while the watch runs is followed only once it leads back', async () => {
  const outside = temporaryFiles({ 'a.yaml': manifest });
  const dir = stackWith('link');
  const link = join(dir, 'link');
  const leadTo = (target: string): void => symlinkSync(target, link);
  leadTo('manifests');
  const scan = scanned(dir);
  expect(await scan()).toBe(2);
  unlinkSync(link);
  leadTo(outside);
  expect(await scan()).toBe(1);
  unlinkSync(link);
  leadTo('manifests');
  expect(await scan()).toBe(2);
});
