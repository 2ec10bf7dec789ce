import { fieldRefsIn, idRefsIn, idsIn } from '../../derive/references.ts';
import type { Address } from '../../model/address.ts';
import { byAddress } from '../../model/by-address.ts';
import type { Decision } from '../decide.ts';
import { existingInstance, type PlanNode } from './plan-node.ts';

/** A step that refers to a resource depends on its creation; the deletion of a resource depends on the steps that remove references to it. */
export function orderReferences(decisions: ReadonlyMap<Address, Decision>, nodes: readonly PlanNode[]): void {
  const of = byAddress(nodes);
  const creates = new Map(nodes.filter(({ role }) => role === 'create').map((node) => [node.address, node]));
  for (const node of nodes) {
    const ids = node.request.path.flatMap((part) => (typeof part !== 'string' && 'idOf' in part ? [part.idOf] : []));
    const values = fieldRefsIn(node.request.body).map(({ ref }) => ref);
    const wait = (address: Address, what: string): void => {
      const create = creates.get(address);
      if (create !== undefined && create !== node) node.after.set(create, `requires ${what} of ${address}`);
    };
    for (const { to, field } of values) wait(to, `\`${field}\``);
    for (const address of [...ids, ...idRefsIn(node.request.body)]) wait(address, 'the id');
  }
  const deletedIds = new Map<string, PlanNode>();
  for (const node of nodes) {
    const id = decisions.get(node.address)?.pair.actual?.id;
    if (node.role === 'delete' && id !== undefined) deletedIds.set(id, node);
  }
  if (deletedIds.size === 0) return;
  for (const [address, { pair, deletedWith }] of decisions) {
    if (pair.actual === undefined) continue;
    for (const { path, id } of idsIn(pair.kind, pair.actual.spec)) {
      const deletedStep = deletedIds.get(id);
      const releasing =
        deletedStep === undefined ? undefined : stepReleasing(of, address, String(path[0]), deletedWith);
      // A nested resource is deleted together with its parent. Any other reference must be removed first.
      if (deletedStep !== undefined && releasing !== undefined && releasing !== deletedStep)
        deletedStep.after.set(releasing, `${address} still refers to the resource`);
    }
  }
}

/** The step after which a resource no longer has the value of a field. */
function stepReleasing(
  of: ReadonlyMap<Address, readonly PlanNode[]>,
  address: Address,
  field: string,
  deletedWith: Address | undefined,
): PlanNode | undefined {
  const own = of.get(address) ?? [];
  const changes = own.filter(
    ({ effect }) =>
      effect.type === 'changes' && effect.instance === existingInstance(address) && Object.hasOwn(effect.sets, field),
  );
  return (
    changes.at(-1) ??
    own.find(({ role }) => role === 'delete') ??
    (deletedWith === undefined ? undefined : stepReleasing(of, deletedWith, field, undefined))
  );
}
