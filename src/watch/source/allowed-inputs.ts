import { resolve } from 'node:path';
import { readStackFile, stackFileName, type StackFile } from '../../manifest/stack-file/stack-file.ts';
import { namesUntrustedManifests } from '../../stack/settings/untrusted-settings.ts';
import type { StackContext } from '../../stack/stack-context.ts';

/** The manifest paths of `sluice.yaml`, which can change; if it cannot be read, the previous ones are kept. None while the operator has not allowed where they lead. */
export function allowedInputs(dir: string, before: StackFile, context: StackContext): () => readonly string[] {
  const { file = before } = readStackFile(resolve(dir, stackFileName));
  return () => (namesUntrustedManifests(file, context) ? [] : file.settings.manifests);
}
