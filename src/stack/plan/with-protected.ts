import type { Actual } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';
import type { Blocked } from '../../model/plan/plan.ts';
import type { Desired } from '../../model/resource.ts';
import type { DesiredScope } from './load-desired.ts';
import type { Planned } from './make-plan.ts';

const protects: ReadonlySet<Blocked['code']> = new Set(['PROTECTED', 'CONTAINS_PROTECTED', 'CONTAINS_UNMANAGED']);

/** The manifests with what the plan may not delete or replace as it is now, together with what that refers to and with what was kept before; undefined if there is nothing more. */
export function withProtected(
  wanted: DesiredScope,
  { plan, input }: Planned,
  before: readonly Address[] = [],
): { readonly wanted: DesiredScope; readonly kept: readonly Address[] } | undefined {
  const { ours } = input.account;
  const kept = new Map<Address, Actual>();
  const keep = (address: Address): void => {
    const actual = ours.get(address);
    if (actual !== undefined) kept.set(address, actual);
  };
  for (const { address, blocked } of plan.changes)
    if (blocked !== undefined && protects.has(blocked.code)) keep(address);
  if (kept.size === 0) return undefined;
  for (const address of before) keep(address);
  for (let known = 0; known < kept.size;) {
    known = kept.size;
    const texts = [...kept.values()].map(({ spec }) => JSON.stringify(spec));
    for (const { address, action, id } of plan.changes)
      if (action === 'delete' && texts.some((text) => text.includes(JSON.stringify(id)))) keep(address);
  }
  const others = wanted.desired.resources.filter(({ address }) => !kept.has(address));
  const resources = [...others, ...[...kept].map(([address, actual]) => asItIs(address, actual))];
  return { wanted: { ...wanted, desired: { ...wanted.desired, resources } }, kept: [...kept.keys()] };
}

/** A live resource as manifests would want it to stay. */
function asItIs(address: Address, { kind, spec, marker }: Actual): Desired {
  const place = { file: 'the account', line: 1, col: 1 };
  return {
    address,
    kind,
    labels: {},
    spec,
    lifecycle: {
      protect: marker?.p.includes('p') ?? true,
      ...(marker?.p.includes('r') === true ? { on_remove: 'retain' } : {}),
    },
    place,
    places: { of: () => place },
  };
}
