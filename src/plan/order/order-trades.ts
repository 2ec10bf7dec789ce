/*
 * Values that only one resource may have at a time (`unique` of a kind): the step that releases a value comes before the
 * step that takes it.
 *
 *   the resource that has the value       the resource that takes it
 *   -----------------------------------   -------------------------------------------
 *   PATCH without the value, or DELETE    POST or PATCH with the value runs after that
 *   keeps the value                       an error: the value is already used
 *
 * Two resources that swap values would depend on each other. Then the one with the most access control releases its value
 * first: an additional request gives it a temporary value, which is an empty list, or a match that no client uses
 * (decisions/0010). Where no value in the cycle can be released so, a replacement in the cycle deletes its old instance
 * before it creates the new one.
 */
import { hash } from 'node:crypto';
import { normalize } from '../../derive/canonical.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Kind, Unique } from '../../kinds/kind.ts';
import { parentIn } from '../../kinds/parent-in.ts';
import { textsIn } from '../../kinds/texts-in.ts';
import type { SpecObject, SpecValue } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import { groupBy, byAddress } from '../../model/group-by.ts';
import { present } from '../../model/present.ts';
import type { Sliced } from '../../model/sliced.ts';
import type { Decision, Decisions } from '../decide.ts';
import { changeStep } from '../requests.ts';
import { foundInAccount, stepReleasing, type FoundResource } from './order-references.ts';
import type { PlanNode } from './plan-node.ts';
import type { PlanInput } from '../input.ts';
import { adoptingText, otherOwner, whoseText, type OtherOwner } from '../other-owner.ts';
import { moduleEffects } from '../routing/module-effects.ts';
import { countAccessControls } from '../routing/routing-model.ts';

interface Holder {
  readonly address: Address | undefined;
  readonly id: string;
  /** The other stack that owns it, according to its ownership marker. */
  readonly owner: OtherOwner | undefined;
  readonly release: PlanNode | undefined;
  /** Why a resource keeps the value though its manifest may have released it. */
  readonly keeps?: 'retained' | 'ignored';
}

/** Makes the step that takes a unique value depend on the step that releases it. Adds steps with temporary values where resources swap values; returns conflicts that no order solves. */
export function* orderTrades(decisions: Decisions, nodes: PlanNode[], input: PlanInput): Sliced<Diagnostic[]> {
  if (nodes.length === 0) return [];
  const of = byAddress(nodes);
  const diagnostics: Diagnostic[] = [];
  const there = groupBy(foundInAccount(input.account), ({ actual }) => actual.kind);
  const decided = groupBy([...decisions.values()], ({ pair }) => pair.kind);
  for (const kind of input.kinds.all)
    for (const unique of kind.unique) {
      yield;
      diagnostics.push(...orderOne(kind, unique, decided.get(kind) ?? [], there.get(kind.name) ?? [], of, input));
    }
  for (let tries = nodes.length; tries > 0; tries--) {
    const ring = findRing(nodes);
    if (ring === undefined) break;
    const released = releaseTemporarily(ring, decisions);
    if (released !== undefined) nodes.push(released);
    else if (!deleteFirst(ring)) break;
  }
  return diagnostics;
}

function orderOne(
  kind: Kind,
  unique: Unique,
  mine: readonly Decision[],
  there: readonly FoundResource[],
  of: ReadonlyMap<Address, readonly PlanNode[]>,
  { stack, account, desired: { complete } }: PlanInput,
): Diagnostic[] {
  const takers = mine.filter(({ pair }) => of.has(pair.address));
  if (takers.length === 0) return [];
  const held = new Map<string, Holder>();
  const keyOf = (parent: SpecValue | undefined, value: string): string =>
    `${unique.scope === 'parent' && typeof parent === 'string' ? parent : ''} ${value}`;
  // All resources, also those that this plan does not target. The targeted ones are overwritten below, with their releases.
  for (const { actual, address } of there)
    for (const value of valuesOf(kind, unique, actual.spec)) {
      const owner = otherOwner(actual.marker, stack);
      held.set(keyOf(actual.parent, value), { address, id: actual.id, owner, release: undefined });
    }
  for (const decision of mine) {
    const { address, actual } = decision.pair;
    if (actual === undefined) continue;
    const stays = new Set(staysInPlace(decision) ? valuesOf(kind, unique, decision.spec) : []);
    for (const value of valuesOf(kind, unique, actual.spec)) {
      const release = stays.has(value) ? undefined : stepReleasing(of, address, unique.field, decision.deletedWith);
      const keeps = keepsAnyway(decision, unique.field);
      held.set(keyOf(actual.parent, value), {
        address,
        id: actual.id,
        owner: undefined,
        release,
        ...present({ keeps }),
      });
    }
  }
  return takers.flatMap((decision) => {
    const { address, desired } = decision.pair;
    if (desired === undefined) return [];
    const parent = parentIn(kind, decision.spec);
    return valuesOf(kind, unique, decision.spec).flatMap((value): Diagnostic[] => {
      const holder = held.get(keyOf(parent, value));
      const take = holder === undefined || holder.address === address ? undefined : takeOf(address, unique.field, of);
      if (holder === undefined || take === undefined) return [];
      if (holder.release !== undefined) {
        take.after.set(holder.release, `${holder.address ?? holder.id} must release ${value} first`);
        return [];
      }
      // If this very resource belongs to another stack, that is reported elsewhere.
      const isKnown = [account.takenOver?.get(address)?.id, desired.lifecycle.adopt].includes(holder.id);
      return isKnown ? [] : [conflict(decision, unique, value, holder, complete)];
    });
  });
}

function conflict({ pair }: Decision, unique: Unique, value: string, holder: Holder, isWhole: boolean): Diagnostic {
  const place = pair.desired?.places.of([unique.field]);
  const about = { severity: 'error', address: pair.address, ...(place === undefined ? {} : { place }) } as const;
  if (holder.address === undefined)
    return {
      ...about,
      code: 'ALREADY_EXISTS_UNMANAGED',
      message: `${value} is already used by ${pair.kind.name} ${holder.id}, ${whoseText(holder.owner)}`,
      hint:
        holder.owner === undefined
          ? `adopt the resource with ${adoptingText(holder.id, undefined)} in the manifest or with \`sluice import --all\`, or choose another value`
          : `choose another value, or delete the resource in that stack first; to adopt the resource instead, write ${adoptingText(holder.id, holder.owner)}`,
    };
  return { ...about, code: 'IN_USE_IN_STACK', ...keptText(holder, unique.field, value, isWhole) };
}

function keptText(
  { address, keeps }: Holder,
  field: string,
  value: string,
  isWhole: boolean,
): Pick<Diagnostic, 'message' | 'hint'> {
  const used = `${value} is already used by ${address}, which`;
  if (keeps === 'retained')
    return {
      message: `${used} stays in the account, because its lifecycle.on_remove is retain`,
      hint: `to rename it, set \`lifecycle: {moved_from: ${address}}\`; to delete it, restore its manifest with \`on_remove: delete\` and apply that first; or choose another value`,
    };
  if (keeps === 'ignored')
    return {
      message: `${used} keeps it, because /${field} is in its lifecycle.ignore`,
      hint: `remove /${field} from lifecycle.ignore of ${address}, or choose another value`,
    };
  return {
    message: `${used} this plan does not change`,
    hint: isWhole
      ? `first change, rename or delete ${address}, or choose another value`
      : `plan the whole stack, or include ${address} in the plan`,
  };
}

function keepsAnyway({ action, compared, pair: { entry } }: Decision, field: string): Holder['keeps'] {
  // A resource whose adoption was not completed also stays, whatever its lifecycle.on_remove is.
  if (action === 'forget' && entry?.adopting !== true) return 'retained';
  return compared.unmanagedFields[`/${field}`] === 'ignored' ? 'ignored' : undefined;
}

/** Whether the resource keeps its instance, so that a value in both specs is never released. */
function staysInPlace({ action, pair }: Decision): boolean {
  return pair.desired !== undefined && (action === 'none' || action === 'update' || action === 'adopt');
}

function takeOf(address: Address, field: string, of: ReadonlyMap<Address, readonly PlanNode[]>): PlanNode | undefined {
  return (of.get(address) ?? []).find(
    ({ role, effect }) => role === 'create' || (effect.type === 'changes' && Object.hasOwn(effect.sets, field)),
  );
}

function valuesOf(kind: Kind, { field }: Unique, spec: SpecObject): string[] {
  return textsIn(kind, field, spec)
    .map(({ leaf, text }) => String(normalize(leaf, text)))
    .sort();
}

/** Steps that depend on each other in a cycle, if there are any. Not recursive: a chain may be as long as the plan. */
function findRing(nodes: readonly PlanNode[]): PlanNode[] | undefined {
  const done = new Set<PlanNode>();
  for (const start of nodes) {
    // The path of the walk, each node with what is still to visit.
    const trail: { readonly node: PlanNode; readonly left: Iterator<PlanNode> }[] = [];
    const onTrail = new Set<PlanNode>();
    const go = (node: PlanNode): void => {
      onTrail.add(node);
      trail.push({ node, left: node.after.keys() });
    };
    if (!done.has(start)) go(start);
    for (let here = trail.at(-1); here !== undefined; here = trail.at(-1)) {
      const next = here.left.next();
      if (next.done === true) {
        trail.pop();
        onTrail.delete(here.node);
        done.add(here.node);
      } else if (onTrail.has(next.value)) {
        const ring = trail.map(({ node }) => node);
        return ring.slice(ring.indexOf(next.value));
      } else if (!done.has(next.value)) go(next.value);
    }
  }
  return undefined;
}

/** Adds a step that gives the resource with the most access control in a cycle a temporary value. The others then depend on that step, not on its real change. */
function releaseTemporarily(ring: readonly PlanNode[], decisions: Decisions): PlanNode | undefined {
  const candidates = ring.flatMap((step) => {
    const { kind, effect } = step;
    const decision = decisions.get(step.address);
    const unique = kind.unique.find(
      ({ field, temporaryValue }) =>
        temporaryValue !== undefined && effect.type === 'changes' && Object.hasOwn(effect.sets, field),
    );
    if (decision?.pair.actual === undefined || unique === undefined) return [];
    const { controls } = moduleEffects({ kind, spec: decision.pair.actual.spec });
    return [{ step, decision, unique, required: countAccessControls(controls) }];
  });
  const [chosen] = candidates.sort((a, b) => b.required - a.required || (a.step.id < b.step.id ? -1 : 1));
  if (chosen === undefined) return undefined;
  const { step, decision, unique } = chosen;
  const sets = { [unique.field]: temporaryValueOf(unique, decision) };
  const released = changeStep(decision, 'prepare', 'PATCH', sets, {
    body: sets,
    detail: unique.field,
    note: `temporarily releases its \`${unique.field}\` while ${[...new Set(ring.map(({ address }) => address))].sort().join(' and ')} swap values`,
  });
  for (const other of ring) {
    const because = other.after.get(step);
    if (because === undefined) continue;
    other.after.delete(step);
    other.after.set(released, because);
  }
  step.after.set(released, `the resource must release its \`${unique.field}\` first`);
  return released;
}

/** Where no value can be released, a replacement in the cycle deletes its old instance before it creates the new one. */
function deleteFirst(ring: readonly PlanNode[]): boolean {
  const old = ring.find(
    (step) => step.role === 'delete' && ring.some((other) => other.address === step.address && step.after.has(other)),
  );
  const young = ring.find((step) => step.role === 'create' && step.address === old?.address);
  if (old === undefined || young === undefined) return false;
  old.after.delete(young);
  young.after.set(old, 'the old resource is deleted first, because other resources swap values with it');
  return true;
}

function temporaryValueOf({ field, temporaryValue }: Unique, { pair, spec }: Decision): SpecValue {
  if (typeof temporaryValue === 'object') return temporaryValue.text(hash('sha256', pair.address).slice(0, 8));
  const [before, after] = [pair.actual?.spec[field], spec[field]];
  return Array.isArray(before) && Array.isArray(after)
    ? (before as SpecValue[]).filter((value) => (after as SpecValue[]).includes(value))
    : [];
}
