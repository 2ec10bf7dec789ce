import { addressNamed } from '../../../derive/address-named.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Context } from '../../context.ts';
import { withState } from '../../with-workspace.ts';
import { stopManaging } from '../../usage/stop-managing.ts';
import { entryInState } from './state-list.ts';

/** Removes one resource from the state. The live resource is not changed. */
export async function forgetState(
  context: Context,
  word: string,
  flags: { readonly lockTimeout?: number },
): Promise<number> {
  const address = addressNamed(word, kinds);
  return withState(context, { ...flags, command: 'state forget', writes: true }, async ({ state, store }) => {
    const { id, nonce, adopting, deposed = [] } = entryInState(state, address);
    const { [address]: _, ...entries } = state.entries;
    await store.save({ ...state, entries });
    // A marker that an interrupted adoption has written is not recorded yet.
    const mayBeMarked = nonce !== undefined || adopting === true;
    const then = !mayBeMarked
      ? 'This stack no longer manages the resource.'
      : `If the resource still has the ownership marker of this stack, the next plan finds the marker, and this stack manages the resource again. To stop managing the resource, ${stopManaging}.`;
    return context.done(
      `Removed ${safeText(address)} (${safeText(id)}) from the state. The live resource was not changed. ${then}${oldText(deposed)}\n`,
      { forgotten: { address, id, marked: mayBeMarked, deposed } },
    );
  });
}

/** What only the removed entry recorded. */
function oldText(deposed: readonly string[]): string {
  return deposed.length === 0
    ? ''
    : ` The state also recorded old instances that the resource has replaced and that are still to be deleted: delete ${safeText(deposed.join(', '))} in the service.`;
}
