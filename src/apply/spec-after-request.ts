import { isAtOrBelow, pointerOf } from '../derive/pointer.ts';
import type { Change, Step } from '../model/plan/plan.ts';
import type { StateObject } from '../model/state.ts';

/**
 * A spec in state after one of several requests of a change; `sent` is what the request writes, and `module` what it writes or
 * removes alone. Without this record, what a run that ends in between has done would count as drift. Of what is unmanaged,
 * state keeps what was sent last.
 */
export function specAfterRequest(
  spec: StateObject,
  { request }: Pick<Step, 'request'>,
  { unmanagedFields }: Pick<Change, 'unmanagedFields'>,
  module: string | undefined,
  sent: StateObject,
): StateObject {
  const isManaged = (name: string): boolean =>
    !Object.keys(unmanagedFields).some((pointer) => isAtOrBelow(pointer, [pointerOf([name])]));
  if (module === undefined || request.method !== 'DELETE')
    return { ...spec, ...Object.fromEntries(Object.entries(sent).filter(([name]) => isManaged(name))) };
  if (!Object.hasOwn(spec, module) || !isManaged(module)) return spec;
  const { [module]: _, ...others } = spec;
  return others;
}
