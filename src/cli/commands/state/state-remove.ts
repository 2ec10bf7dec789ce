import { safeText } from '../../../diagnostics/safe-text.ts';
import { openBackend, lockOptions } from '../../../stack/open-backend.ts';
import { stateOptions } from '../../../stack/open-state.ts';
import { readStackConfig } from '../../../stack/settings/stack-config.ts';
import type { Context } from '../../context.ts';
import { declined } from '../../approval/approval.ts';

/** Removes a state without resources, with its backups, its run records and what a watch remembers. */
export async function removeState(
  context: Context,
  flags: { readonly autoApprove?: boolean; readonly lockTimeout?: number },
): Promise<number> {
  const open = await readStackConfig(context);
  const backend = await openBackend(context, open);
  try {
    const { location } = backend;
    const question = `Remove the state in ${safeText(location)}, with its backups?`;
    const code = await declined(context, flags, question, 'Not confirmed. Nothing was removed.');
    if (code !== undefined) return code;
    const options = stateOptions(context, open, 'state remove');
    await backend.removeAll(options, lockOptions(context, flags.lockTimeout));
    return context.done(`Removed the state in ${safeText(location)}.\n`, { removed: { location } });
  } finally {
    await backend.close();
  }
}
