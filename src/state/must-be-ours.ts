import { Refused } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import type { State } from '../model/state.ts';
import type { StateStoreOptions } from './store.ts';
import { counted } from '../diagnostics/counted.ts';

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
  const parts = [state.entries, state.intents, state.forgotten];
  if (state.account !== account && parts.some((part) => Object.keys(part ?? {}).length > 0))
    throw new Refused(
      'STATE_ACCOUNT_MISMATCH',
      `${location} belongs to the account at ${safeText(state.account, 200)}, not to ${account}`,
      {
        hint: 'to use the account that the state was made with, set api.base_url back to its URL; to use the other account, keep its state elsewhere (`state` in sluice.yaml), or move a state file away if its account was only a trial, such as the embedded emulator',
      },
    );
  return state;
}

/** Refuses to remove a state that knows of resources. */
export function mustBeEmpty(state: State | undefined, location: string): void {
  const { entries = {}, intents = {} } = state ?? {};
  const count = Object.keys(entries).length + Object.keys(intents).length;
  if (count > 0)
    throw new Refused('STATE_NOT_EMPTY', `the state in ${location} has ${counted(count, 'resource', 'resources')}`, {
      hint: 'first run `sluice destroy`; to keep a resource in the account, first set `lifecycle: {on_remove: retain}` in its manifest and run `sluice apply`',
    });
}
