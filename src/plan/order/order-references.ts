import { fieldRefsIn, idRefsIn, idsIn } from '../../derive/references.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { fieldPath } from '../../diagnostics/field-path.ts';
import type { Path } from '../../kinds/value.ts';
import type { Account, Actual } from '../../model/actual.ts';
import { type Address, splitAddress } from '../../model/address.ts';
import { byAddress } from '../../model/group-by.ts';
import { isReplacement } from '../../model/plan/plan.ts';
import type { Decision, Decisions } from '../decide.ts';
import type { PlanInput } from '../input.ts';
import { otherOwner, whoseText } from '../other-owner.ts';
import { existingInstance, type PlanNode } from './plan-node.ts';

/** A resource of the account, with an address if this stack manages it. */
export interface FoundResource {
  readonly actual: Actual;
  readonly address: Address | undefined;
}

/** All resources of the account, also those that the plan does not target. */
export function foundInAccount({ foreign, ours }: Account): FoundResource[] {
  return [
    ...foreign.map((actual) => ({ actual, address: undefined })),
    ...Array.from(ours, ([address, actual]) => ({ actual, address })),
  ];
}

/** A step that refers to a resource depends on its creation; the deletion of a resource depends on the steps that remove references to it. Returns errors for references to a deleted resource that no step removes. */
export function orderReferences(decisions: Decisions, nodes: readonly PlanNode[], input: PlanInput): Diagnostic[] {
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

/** The step after which a resource no longer has the value of a field; undefined where it keeps the value. */
export function stepReleasing(
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

/** A resource that refers to another, and keeps the reference. */
interface Referrer extends FoundResource {
  /** The run does not decide about it: it is not a target, or not managed. */
  readonly isLeft?: boolean;
}

/** The error about a deletion that the service would refuse, because another resource refers to the deleted one. None for a nested resource: it is deleted together with its parent. */
function stillReferenced(
  { pair: { address: deleted, actual: gone, desired } }: Decision,
  { address, actual, isLeft = false }: Referrer,
  path: Path,
  { kinds, stack, destroying }: PlanInput,
): Diagnostic[] {
  if (stack.profile === 'documented' || path[0] === kinds.named(actual.kind)?.within?.by) return [];
  const isTarget = address === undefined || !isLeft;
  const other = address ?? `${actual.kind} ${actual.id}`;
  const whose = address === undefined ? whoseText(otherOwner(actual.marker, stack)) : 'which this plan does not change';
  return [
    {
      severity: 'error',
      code: 'STILL_REFERENCED',
      address: deleted,
      ...(desired === undefined ? {} : { place: desired.place }),
      message: `the plan deletes ${gone?.id}, but \`${path[0]}\` of ${other}${isLeft ? `, ${whose},` : ''} still refers to it`,
      hint: isTarget
        ? `first remove the reference from ${other}, or ${destroying === true ? `keep ${deleted}: set \`lifecycle.on_remove: retain\` and apply it` : `keep ${deleted}`}`
        : `plan the whole stack, or include ${address} in the plan`,
    },
  ];
}

/** The error about a manifest that has the id of a resource which the plan deletes: a request would be sent with that id all the same. */
function wantedById({ pair: { address: deleted }, action }: Decision, { pair }: Decision, path: Path): Diagnostic {
  const place = pair.desired?.places.of(path);
  const isReplaced = isReplacement(action);
  return {
    severity: 'error',
    code: 'STILL_REFERENCED',
    address: pair.address,
    ...(place === undefined ? {} : { place }),
    message: `\`${fieldPath('', path)}\` has the id of ${deleted}, which the plan ${isReplaced ? 'replaces' : 'deletes'}`,
    hint: isReplaced
      ? `write {ref: ${splitAddress(deleted).name}} instead of the id`
      : `remove the reference, or keep ${deleted}`,
  };
}
