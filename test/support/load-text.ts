import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Profile, KindSet } from '../../src/kinds/kind.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import type { DesiredStack } from '../../src/model/resource.ts';
import { loadDefaults } from './load-defaults.ts';

/** Manifests by the file they stand in. */
export type ManifestFiles = Readonly<Record<string, string>>;

/** Loads manifests as the command line would, out of a directory that is gone afterwards. */
export async function loadText(
  files: ManifestFiles,
  {
    kinds,
    profile,
    env = {},
    inputs = ['.'],
    missingValues = 'error',
  }: {
    readonly kinds: KindSet;
    readonly profile: Profile;
    readonly env?: Readonly<Record<string, string>>;
    readonly inputs?: readonly string[];
    readonly missingValues?: 'error' | 'warning';
  },
): Promise<DesiredStack> {
  // Thousands of times in a run of all tests: what is asynchronous takes longer.
  const dir = mkdtempSync(join(tmpdir(), 'sluice-manifests-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, file)), { recursive: true });
      writeFileSync(join(dir, file), text);
    }
    return await loadManifests({ ...loadDefaults, dir, inputs, kinds, profile, env, missingValues });
  } finally {
    rmSync(dir, { recursive: true });
  }
}
