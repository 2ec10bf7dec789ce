import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { openState } from '../../../stack/open-state.ts';
import { entryInState } from './state-fields.ts';

/** Drops one resource from what the stack remembers. The resource itself stays as it is. */
export async function forgetState(
  context: Context,
  address: string,
  flags: { readonly lockTimeout?: number },
): Promise<number> {
  const { state, store, close } = await openState(context, { ...flags, command: 'state forget', writes: true });
  try {
    const { id, nonce } = entryInState(state, address);
    const { [address]: _, ...entries } = state.entries;
    await store.save({ ...state, entries });
    const then =
      nonce === undefined
        ? 'It is not ours any more.'
        : 'Its marker still says that it is ours: the next plan finds it again.';
    context.result(
      () => `Forgot ${safeText(address)} (${safeText(id)}). The resource stays as it is. ${then}\n`,
      () => ({ format_version: '1.0', forgotten: { address, id, marked: nonce !== undefined } }),
    );
    return exitCodes.done;
  } finally {
    await close();
  }
}
