import { counted } from '../diagnostics/counted.ts';
import { Refused } from '../diagnostics/errors.ts';
import type { State } from '../model/state.ts';

/** Refuses to remove a state that knows of resources. */
export function mustBeEmpty(state: State | undefined, location: string): void {
  const { entries = {}, intents = {} } = state ?? {};
  const count = Object.keys(entries).length + Object.keys(intents).length;
  if (count > 0)
    throw new Refused('STATE_NOT_EMPTY', `the state in ${location} has ${counted(count, 'resource', 'resources')}`, {
      hint: 'first run `sluice destroy`; to keep a resource in the account, first set `lifecycle: {on_remove: retain}` in its manifest and run `sluice apply`',
    });
}
