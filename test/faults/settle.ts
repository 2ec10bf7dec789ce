import type { Stored } from '../../src/emulator/family.ts';
import type { DesiredStack } from '../../src/model/resource.ts';
import type { State } from '../../src/model/state.ts';
import { addressIn } from './witness.ts';

/** Does what a person is told to do where the service cannot tell: looks, and names what is there, or says that nothing is. */
export function settle(
  address: string,
  desired: DesiredStack,
  resources: readonly Stored[],
  memory: { state: State | undefined },
): DesiredStack {
  const known = memory.state?.entries[address]?.id;
  const there = resources.find(({ id, spec }) => id !== known && addressIn(spec.metadata) === address);
  if (there === undefined) return desired;
  return {
    ...desired,
    resources: desired.resources.map((one) =>
      one.address === address ? { ...one, lifecycle: { ...one.lifecycle, adopt: there.id } } : one,
    ),
  };
}
