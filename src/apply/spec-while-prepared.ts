import { isAtOrBelow, pointerOf } from '../derive/pointer.ts';
import type { Change, Step } from '../model/plan/plan.ts';
import type { StateObject } from '../model/state.ts';

/**
 * A spec in state after a request that takes something away for a while, such as the backend of a route; the spec itself for
 * any other request. `sent` is what the request writes. Without this record, what a run that ends in between has taken away
 * would count as drift. Of what is unmanaged, state keeps what was sent last.
 */
export function specWhilePrepared(
  spec: StateObject,
  { role, request }: Step,
  { unmanagedFields }: Change,
  module: string | undefined,
  sent: StateObject,
): StateObject {
  if (role !== 'prepare' || request.method === 'PUT') return spec;
  const isManaged = (name: string): boolean =>
    !Object.keys(unmanagedFields).some((pointer) => isAtOrBelow(pointer, [pointerOf([name])]));
  if (module === undefined)
    return { ...spec, ...Object.fromEntries(Object.entries(sent).filter(([name]) => isManaged(name))) };
  if (!Object.hasOwn(spec, module) || !isManaged(module)) return spec;
  const { [module]: _, ...others } = spec;
  return others;
}
