import { idsIn, refsIn } from '../../derive/references.ts';
import type { Address } from '../../model/address.ts';
import { byAddress } from '../../model/by-address.ts';
import type { Decision } from '../decide.ts';
import { existingInstance, type PlanNode } from './plan-node.ts';

/** What refers to something waits until it is there; what is referred to is deleted only when nothing refers to it. */
export function orderReferences(decisions: ReadonlyMap<Address, Decision>, nodes: readonly PlanNode[]): void {
  const of = byAddress(nodes);
  const creates = new Map(nodes.filter(({ role }) => role === 'create').map((node) => [node.address, node]));
  for (const node of nodes) {
    const ids = node.request.path.flatMap((part) => (typeof part !== 'string' && 'idOf' in part ? [part.idOf] : []));
    for (const address of [...ids, ...refsIn(node.request.body)]) {
      const create = creates.get(address);
      if (create !== undefined && create !== node) node.after.set(create, `needs the id of ${address}`);
    }
  }
  const goneIds = new Map<string, PlanNode>();
  for (const node of nodes) {
    const id = decisions.get(node.address)?.pair.actual?.id;
    if (node.role === 'delete' && id !== undefined) goneIds.set(id, node);
  }
  if (goneIds.size === 0) return;
  for (const [address, { pair, withParent }] of decisions) {
    if (pair.actual === undefined) continue;
    for (const { path, id } of idsIn(pair.kind, pair.actual.spec)) {
      const gone = goneIds.get(id);
      const lettingGo =
        gone === undefined || gone.address === address ? undefined : letsGo(of, address, String(path[0]), withParent);
      // What is nested in it is deleted together with it; only what refers to it must stop doing so first.
      if (gone !== undefined && lettingGo !== undefined && lettingGo !== gone)
        gone.after.set(lettingGo, `${address} still refers to it`);
    }
  }
}

/** The step after which a resource no longer has the value of a field. */
function letsGo(
  of: ReadonlyMap<Address, readonly PlanNode[]>,
  address: Address,
  field: string,
  withParent: Address | undefined,
): PlanNode | undefined {
  const own = of.get(address) ?? [];
  const changes = own.filter(
    ({ effect }) =>
      effect.type === 'changes' && effect.instance === existingInstance(address) && Object.hasOwn(effect.sets, field),
  );
  return (
    changes.at(-1) ??
    own.find(({ role }) => role === 'delete') ??
    (withParent === undefined ? undefined : letsGo(of, withParent, field, undefined))
  );
}
