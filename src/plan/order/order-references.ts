import { idsIn, refsIn } from '../../derive/references.ts';
import type { Address } from '../../model/address.ts';
import { byAddress } from '../../model/by-address.ts';
import type { Decision } from '../decide.ts';
import type { PlanNode } from './plan-node.ts';

/** What refers to something waits until it is there; what is referred to goes only when nothing does any more. */
export function orderReferences(decisions: ReadonlyMap<Address, Decision>, drafts: readonly PlanNode[]): void {
  const of = byAddress(drafts);
  const creates = new Map(drafts.filter(({ role }) => role === 'create').map((draft) => [draft.address, draft]));
  for (const draft of drafts) {
    const ids = draft.request.path.flatMap((part) => (typeof part !== 'string' && 'idOf' in part ? [part.idOf] : []));
    for (const address of [...ids, ...refsIn(draft.request.body)]) {
      const create = creates.get(address);
      if (create !== undefined && create !== draft) draft.after.set(create, `needs the id of ${address}`);
    }
  }
  const goneIds = new Map<string, PlanNode>();
  for (const draft of drafts) {
    const id = decisions.get(draft.address)?.pair.actual?.id;
    if (draft.role === 'delete' && id !== undefined) goneIds.set(id, draft);
  }
  if (goneIds.size === 0) return;
  for (const [address, { pair, withParent }] of decisions) {
    if (pair.actual === undefined) continue;
    for (const { path, id } of idsIn(pair.kind, pair.actual.spec)) {
      const gone = goneIds.get(id);
      const lettingGo =
        gone === undefined || gone.address === address ? undefined : letsGo(of, address, String(path[0]), withParent);
      // Whatever lives inside goes with it; only what merely points at it must let go first.
      if (gone !== undefined && lettingGo !== undefined && lettingGo !== gone)
        gone.after.set(lettingGo, `${address} still refers to it`);
    }
  }
}

/** The step after which a resource no longer holds what stands under a field of it. */
function letsGo(
  of: ReadonlyMap<Address, readonly PlanNode[]>,
  address: Address,
  field: string,
  withParent: Address | undefined,
): PlanNode | undefined {
  const own = of.get(address) ?? [];
  const changes = own.filter(
    ({ effect }) => effect.type === 'changes' && effect.life === address && Object.hasOwn(effect.sets, field),
  );
  return (
    changes.at(-1) ??
    own.find(({ role }) => role === 'delete') ??
    (withParent === undefined ? undefined : letsGo(of, withParent, field, undefined))
  );
}
