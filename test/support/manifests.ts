import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadManifests, type LoadOptions } from '../../src/manifest/load.ts';
import type { DesiredStack } from '../../src/model/resource.ts';
import { diagnosticsText } from '../../src/render/diagnostics/diagnostics-text.ts';
import { loadDefaults } from './load-defaults.ts';

/** A directory of files that is gone when the test is over. */
export function temporaryFiles(files: Readonly<Record<string, string | Buffer>>): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-test-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  return dir;
}

/** Loads a directory of files as a whole stack. */
export function loadDirectory(dir: string, options: Partial<LoadOptions> = {}): Promise<DesiredStack> {
  return loadManifests({ ...loadDefaults, dir, inputs: ['.'], ...options });
}

/** Loads manifests given as files. */
export function loadFiles(
  files: Readonly<Record<string, string | Buffer>>,
  options: Partial<LoadOptions> = {},
): Promise<DesiredStack> {
  return loadDirectory(temporaryFiles(files), options);
}

/** Loads manifests given as the text of one file, `stack.yaml`. */
export function loadText(text: string, options: Partial<LoadOptions> = {}): Promise<DesiredStack> {
  return loadFiles({ 'stack.yaml': text }, options);
}

/** The diagnostics that a person gets for manifests, given as the text of one file. */
export async function reportOf(text: string, options: Partial<LoadOptions> = {}): Promise<string> {
  return diagnosticsText((await loadText(text, options)).diagnostics);
}
