import { resolve } from 'node:path';
import { counted } from '../../../diagnostics/counted.ts';
import { writeOutput } from '../../../files/write-output.ts';
import { writeOutputFile } from '../../../stack/usage-error.ts';
import { takeSnapshot } from '../../../stack/snapshot/take-snapshot.ts';
import { withWorkspace } from '../../with-workspace.ts';
import type { Context } from '../../context.ts';

/** Saves what plans without access to the account read. */
export async function snapshot(
  context: Context,
  { out, parallelism }: { readonly out: string; readonly parallelism: number },
): Promise<number> {
  return withWorkspace(context, { parallelism, command: 'snapshot', writes: false }, async (workspace) => {
    const { text, resources } = await takeSnapshot(context, workspace);
    await writeOutputFile(out, () => writeOutput(resolve(context.io.cwd, out), text));
    return context.done(`Saved a snapshot of ${counted(resources, 'resource')} to ${out}.\n`, {
      file: out,
      resources,
    });
  });
}
