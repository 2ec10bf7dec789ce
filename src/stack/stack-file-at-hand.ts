import { resolve } from 'node:path';
import { findStackFile } from '../manifest/stack-file/stack-file.ts';
import type { StackContext } from './stack-context.ts';

/** The `sluice.yaml` that a command is about, if there is one: of its directory, or of the nearest above. */
export function stackFileAtHand({ io, dir }: Pick<StackContext, 'io' | 'dir'>): string | undefined {
  return findStackFile(resolve(io.cwd, dir ?? '.'));
}
