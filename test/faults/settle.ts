import type { Stored } from '../../src/emulator/family.ts';
import { splitMetadata } from '../../src/derive/marker.ts';
import type { DesiredStack } from '../../src/model/resource.ts';
import type { Entry, State } from '../../src/model/state.ts';
import { resolvedState } from '../../src/state/resolved.ts';
import { addressIn } from './witness.ts';

/** Does what a person is told to do where the service cannot tell: looks, and names what is there, in state or in the manifest, or reports that nothing is. */
export function settle(
  address: string,
  desired: DesiredStack,
  resources: readonly Stored[],
  memory: { state: State | undefined },
): DesiredStack {
  const { state } = memory;
  if (state === undefined) return desired;
  const there = resources.find(
    ({ id, spec }) => id !== state.entries[address]?.id && addressIn(spec.metadata) === address,
  );
  if (there === undefined || there.id.charCodeAt(there.id.length - 1) % 2 === 0) {
    memory.state = resolvedState(state, address, there === undefined ? undefined : entryOf(there)) ?? state;
    return desired;
  }
  return {
    ...desired,
    resources: desired.resources.map((one) =>
      one.address === address ? { ...one, lifecycle: { ...one.lifecycle, adopt: there.id } } : one,
    ),
  };
}

function entryOf({ kind, id, parent, spec: { metadata } }: Stored): Entry {
  const { n: nonce } = splitMetadata(typeof metadata === 'string' ? metadata : '').marker ?? {};
  return {
    kind,
    id,
    spec: {},
    protect: false,
    retain: false,
    ...(parent === undefined ? {} : { parent }),
    ...(nonce === undefined ? {} : { nonce }),
  };
}
