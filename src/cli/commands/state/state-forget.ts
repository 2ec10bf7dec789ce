import { addressNamed } from '../../../derive/address-named.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Context } from '../../context.ts';
import { doneWith } from '../../output/done-with.ts';
import { openState } from '../../../stack/open-state.ts';
import { stopManaging } from '../../usage/stop-managing.ts';
import { entryInState } from './state-list.ts';

/** Removes one resource from the state. The live resource is not changed. */
export async function forgetState(
  context: Context,
  word: string,
  flags: { readonly lockTimeout?: number },
): Promise<number> {
  const address = addressNamed(word, kinds);
  const { state, store, close } = await openState(context, { ...flags, command: 'state forget', writes: true });
  try {
    const { id, nonce } = entryInState(state, address);
    const { [address]: _, ...entries } = state.entries;
    await store.save({ ...state, entries });
    const then =
      nonce === undefined
        ? 'This stack no longer manages the resource.'
        : `If the resource still has the ownership marker of this stack, the next plan finds the marker, and this stack manages the resource again. To stop managing the resource, ${stopManaging}.`;
    return doneWith(
      context,
      `Removed ${safeText(address)} (${safeText(id)}) from the state. The live resource was not changed. ${then}\n`,
      { forgotten: { address, id, marked: nonce !== undefined } },
    );
  } finally {
    await close();
  }
}
