import { idRefsIn, idsIn, refsIn } from '../../derive/references.ts';
import type { KindSet } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { Actual } from '../../model/actual.ts';
import type { Address } from '../../model/address.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';
import type { Desired } from '../../model/resource.ts';
import type { ResourceStatus } from '../../model/status/watch-status.ts';

/** A resource as it is wanted, and as it is. */
interface BothSides {
  readonly desired: Desired | undefined;
  readonly actual: Actual | undefined;
  /** A change of it is pending, or about to be applied; without one, both sides have the same. */
  readonly isChanging: boolean;
}

type Dependencies = Pick<ResourceStatus, 'dependsOn' | 'addedDependencies' | 'removedDependencies'>;

/** What a resource depends on, now and as wanted: dependencies that a change adds and that it removes are separate. */
export function dependenciesOf(
  { desired, actual, isChanging }: BothSides,
  addressOfId: ReadonlyMap<string, Address>,
  kinds: KindSet,
): Dependencies {
  const parent = actual?.parent === undefined ? undefined : addressOfId.get(actual.parent);
  const own = parent === undefined ? [] : [parent];
  const wanted = refsIn(desired?.spec);
  if (!isChanging) return { dependsOn: ordered([...own, ...wanted]) };
  const kind = kinds.named(desired?.kind ?? actual?.kind ?? '');
  const namedIn = (spec: SpecObject | undefined): readonly Address[] =>
    kind === undefined || spec === undefined ? [] : idsIn(kind, spec).flatMap(({ id }) => addressOfId.get(id) ?? []);
  // Of a reference to the value of a field, the account shows the value alone: only a new resource gets it as a new one.
  const ids = new Set(idRefsIn(desired?.spec));
  const values = actual === undefined ? [] : wanted.filter((one) => !ids.has(one));
  const now = new Set([...own, ...namedIn(actual?.spec), ...values]);
  const then = new Set([...wanted, ...namedIn(desired?.spec)]);
  const added = ordered([...then].filter((one) => !now.has(one)));
  const removed = ordered([...now].filter((one) => !then.has(one)));
  return {
    dependsOn: ordered([...now, ...then]),
    ...(added.length === 0 ? {} : { addedDependencies: added }),
    ...(removed.length === 0 ? {} : { removedDependencies: removed }),
  };
}

function ordered(addresses: readonly Address[]): Address[] {
  return [...new Set(addresses)].sort(inNaturalOrder);
}
