import { makeMarker, stackIdOf } from '../derive/marker.ts';
import { isAsApplied } from '../derive/stored/is-as-applied.ts';
import { fromState } from '../derive/stored/from-state.ts';
import { isSpecObject } from '../kinds/value.ts';
import { formerAddresses } from '../model/resource.ts';
import type { Change } from '../model/plan/plan.ts';
import type { Decision } from './decide.ts';
import type { PlanInput } from './input.ts';

/** What happened to a resource as a whole since it was last applied: it is gone, or its marker is not as it was left. */
export function driftOf(decision: Decision, input: PlanInput): Pick<Change, 'deletedOutside' | 'markerDrifted'> {
  const { action, pair } = decision;
  if (action === 'create') return deletedOutsideOf(decision, input);
  return pair.desired !== undefined && markerDrifted(decision, input) ? { markerDrifted: true } : {};
}

function deletedOutsideOf(
  { pair: { address, kind, desired } }: Decision,
  { account, state, digest }: PlanInput,
): Pick<Change, 'deletedOutside'> {
  const entry = account.missing.includes(address) ? state?.entries[address] : undefined;
  const isDeposed = account.deposed?.some(({ actual }) => actual.id === entry?.id) === true;
  if (entry === undefined || entry.deleting === true || isDeposed) return {};
  const spec = fromState(entry.spec);
  const ignore = desired?.lifecycle.ignore ?? [];
  const idOf = (other: string): string | undefined => state?.entries[other]?.id;
  const isSame = isAsApplied(kind.fields, desired?.spec ?? {}, entry.spec, { idOf, digest, ignore });
  return {
    deletedOutside: {
      id: entry.id,
      spec: isSpecObject(spec) ? spec : {},
      ...(isSame ? { isAsApplied: true } : {}),
    },
  };
}

/** Whether the marker is another than the last apply has left: the stack's name may have changed since, by its own will. */
function markerDrifted({ pair, markerDiffers }: Decision, { stack }: PlanInput): boolean {
  const { desired, entry, actual, address, movedFrom } = pair;
  if (!markerDiffers || entry?.nonce === undefined || actual === undefined) return false;
  const there = actual.marker;
  if (there === undefined || stackIdOf(there) !== stack.id) return true;
  const named = { name: there.s.slice(0, -stack.id.length - 1), id: stack.id };
  const left = makeMarker(named, movedFrom ?? address, entry, entry.nonce);
  // A run that ended after state had the new address, and before the marker had it, has left a former one. In a row of renames,
  // another resource has that by now.
  const former = [...(entry.formerAddresses ?? []), ...formerAddresses(desired?.lifecycle ?? {})];
  const names = [address, ...former].map((one) => makeMarker(named, one, entry).a);
  // A request whose outcome is not recorded may have written the flags.
  const isOtherFlag = there.p !== left.p && entry.attempted === undefined;
  return isOtherFlag || there.n !== left.n || (there.a !== left.a && !names.includes(there.a));
}
