import { join } from 'node:path';
import { fileDocument } from '../../src/state/file/file-document.ts';
import { recordPause } from '../../src/watch/operator-requests.ts';
import type { Rig } from './rig.ts';

/** What a person says to `sluice resume`. */
export async function resumeRig({ dir, now }: Rig): Promise<void> {
  await recordPause({ document: (name) => fileDocument(join(dir, `${name}.json`)) }, undefined, now());
}
