/*
 * The outcome of creations that an earlier run sent, or was about to send, without learning the outcome.
 *
 *   its nonce is in the account   it can be found          its address is to be created   it is
 *   ---------------------------   ----------------------   ----------------------------   ----------------------------
 *   yes                           -                        -                              concluded: that is it; open
 *                                                                                         where this run skips it
 *   no                            no: no marker, no list   -                              unresolved: only a person can
 *   no                            yes                      yes                            open: apply looks once more
 *   no                            yes                      no                             concluded: it does not exist
 */
import { offers } from '../derive/wire/operations.ts';
import { everyActual } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import { type Plan, getsNewId } from '../model/plan/plan.ts';
import type { Intent } from '../model/state.ts';
import type { Decisions } from './decide.ts';
import type { PlanInput } from './input.ts';

/** Sorts the creations of earlier runs into those that only a person can resolve and those whose end is known by now. */
export function earlierCreations(
  decisions: Decisions,
  input: PlanInput,
): Pick<Plan, 'unresolved' | 'resolvedCreations'> {
  const intents = Object.entries(input.state?.intents ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  if (intents.length === 0) return { unresolved: [], resolvedCreations: [] };
  const found = new Set(everyActual(input.account).flatMap(({ marker }) => marker?.n ?? []));
  const isOpen = (address: Address): boolean => {
    const action = decisions.get(address)?.action;
    return action === undefined ? !input.desired.complete : getsNewId(action);
  };
  // What this run does not record, such as without being its target, nothing but the intent may tell of.
  const isDecided = (address: Address): boolean =>
    decisions.has(address) || (input.desired.complete && input.leave?.has(address) !== true);
  const endOf = (address: Address, intent: Intent): 'open' | 'resolved' | 'unresolved' => {
    if (intent.nonces.some((nonce) => found.has(nonce))) return isDecided(address) ? 'resolved' : 'open';
    if (!canBeFound(intent, input)) return 'unresolved';
    return isOpen(address) ? 'open' : 'resolved';
  };
  const ends = intents.map(([address, intent]) => ({ address, ...intent, end: endOf(address, intent) }));
  return {
    unresolved: ends.flatMap(({ address, kind, parent, end }) =>
      end === 'unresolved' ? [{ address, kind, ...(parent === undefined ? {} : { parent }) }] : [],
    ),
    resolvedCreations: ends.flatMap(({ address, end }) => (end === 'resolved' ? [address] : [])),
  };
}

/** Whether the account, as it was refreshed, would show what a creation made. */
function canBeFound({ kind: name, unresolved }: Intent, { account, kinds, stack }: PlanInput): boolean {
  const kind = kinds.named(name);
  if (unresolved === true || kind === undefined || !account.complete.has(name)) return false;
  if (kind.within !== undefined || offers(kind, stack.profile).list) return true;
  return account.served?.some(({ server }) => server !== undefined) === true;
}
