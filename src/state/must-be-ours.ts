import { Refused } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import type { State } from '../model/state.ts';
import type { StateStoreOptions } from './store.ts';

/** A state as it is. Refuses that of another stack, and one of another account that remembers anything. */
export function mustBeOurs(
  state: State | undefined,
  location: string,
  { lineage, account }: StateStoreOptions,
): State | undefined {
  if (state === undefined) return undefined;
  if (state.lineage !== lineage)
    throw new Refused(
      'STATE_STACK_MISMATCH',
      `${location} belongs to stack ${safeText(state.lineage, 80)}, not to ${lineage}`,
      {
        hint: `if stack.id was changed by mistake, set it back to ${safeText(state.lineage, 80)}; otherwise set state.path to the state of this stack, or move the file away`,
      },
    );
  const remembers = Object.keys({ ...state.entries, ...state.intents, ...state.forgotten }).length > 0;
  if (state.account !== account && remembers)
    throw new Refused(
      'STATE_ACCOUNT_MISMATCH',
      `${location} belongs to the account at ${safeText(state.account, 200)}, not to ${account}`,
      {
        hint: 'to use the account of the state, set api.base_url back to the URL of that account; to use the other account, keep its state elsewhere (`state` in sluice.yaml), or move a state file away if its account was only a trial, such as the embedded emulator',
      },
    );
  return state;
}
