import { fieldRefsIn, idRefsIn, idsIn } from '../../derive/references.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Address } from '../../model/address.ts';
import { byAddress } from '../../model/by-address.ts';
import { isReplacement } from '../../model/replacement.ts';
import type { Decision } from '../decide.ts';
import type { PlanInput } from '../input.ts';
import { foundInAccount } from './found-in-account.ts';
import { existingInstance, type PlanNode } from './plan-node.ts';
import { stillReferenced, wantedById } from './still-referenced.ts';

/** A step that refers to a resource depends on its creation; the deletion of a resource depends on the steps that remove references to it. Returns errors for references to a deleted resource that no step removes. */
export function orderReferences(
  decisions: ReadonlyMap<Address, Decision>,
  nodes: readonly PlanNode[],
  input: PlanInput,
): Diagnostic[] {
  const of = byAddress(nodes);
  const creates = new Map(nodes.filter(({ role }) => role === 'create').map((node) => [node.address, node]));
  for (const node of nodes) {
    const ids = node.request.path.flatMap((part) => (typeof part !== 'string' && 'idOf' in part ? [part.idOf] : []));
    const values = fieldRefsIn(node.request.body).map(({ ref }) => ref);
    const wait = (address: Address, reason: string): void => {
      const create = creates.get(address);
      if (create !== undefined && create !== node) node.after.set(create, reason);
    };
    for (const { to, field } of values) wait(to, `requires \`${field}\` of ${to}`);
    for (const address of [...ids, ...idRefsIn(node.request.body)]) wait(address, `requires the id of ${address}`);
  }
  const deletedIds = new Map<string, Deletion>();
  for (const node of nodes) {
    const decision = decisions.get(node.address);
    const id = decision?.pair.actual?.id;
    if (node.role === 'delete' && decision !== undefined && id !== undefined) deletedIds.set(id, { node, decision });
  }
  if (deletedIds.size === 0) return [];
  const kept: Diagnostic[] = [];
  for (const [address, { pair, deletedWith }] of decisions) {
    if (pair.actual === undefined) continue;
    for (const { path, id } of idsIn(pair.kind, pair.actual.spec)) {
      const deletion = deletedIds.get(id);
      if (deletion === undefined) continue;
      const releasing = stepReleasing(of, address, String(path[0]), deletedWith);
      // A nested resource is deleted together with its parent. Any other reference must be removed first.
      if (releasing === undefined)
        kept.push(...stillReferenced(deletion.decision, { address, actual: pair.actual }, path, input));
      else if (releasing !== deletion.node)
        deletion.node.after.set(releasing, `${address} still refers to the resource`);
    }
  }
  for (const decision of decisions.values()) {
    const { pair, action, spec } = decision;
    if (pair.desired === undefined || action === 'none') continue;
    for (const { path, id } of idsIn(pair.kind, spec)) {
      const deletion = deletedIds.get(id);
      if (deletion === undefined) continue;
      // What keeps a reference is reported above, unless its own deletion removes that: then it is created again with it.
      const isKept = pair.actual !== undefined && idsIn(pair.kind, pair.actual.spec).some((one) => one.id === id);
      if (isReplacement(action) || !isKept) kept.push(wantedById(deletion.decision, decision, path));
    }
  }
  for (const found of foundInAccount(input.account)) {
    const kind = input.kinds.named(found.actual.kind);
    if (kind === undefined || (found.address !== undefined && decisions.has(found.address))) continue;
    for (const { path, id } of idsIn(kind, found.actual.spec)) {
      const deletion = deletedIds.get(id);
      if (deletion !== undefined)
        kept.push(...stillReferenced(deletion.decision, { ...found, isLeft: true }, path, input));
    }
  }
  return kept;
}

interface Deletion {
  readonly node: PlanNode;
  readonly decision: Decision;
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
