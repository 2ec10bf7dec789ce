/*
 * Drift of routing: the routing as last applied, and the changes that were made outside sluice since. A resource without
 * an entry in state, or with one that records nothing of what was applied, is assumed to be unchanged. An unmanaged route
 * on a managed edge, and what the plan adopts, is assumed to be new, unless this stack has released it.
 */
import { noDifference } from '../../derive/compare.ts';
import { isSameText, semanticEquals, type SecretForm } from '../../derive/canonical.ts';
import { isAtOrBelow, pointerNames } from '../../derive/pointer.ts';
import { isRewritten } from '../../derive/stored/rewritten-texts.ts';
import { valueAt, withValueAt } from '../../derive/value-at.ts';
import { namedFields } from '../../kinds/named-fields.ts';
import { isInEffect } from '../../kinds/in-effect.ts';
import type { Field, Group, Kind } from '../../kinds/kind.ts';
import { isSpecObject, Secret, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import { recordsApplied } from '../../model/marker-entry.ts';
import type { Sliced } from '../../model/sliced.ts';
import type { Entry } from '../../model/state.ts';
import type { Decision, Decisions } from '../decide.ts';
import type { PlanInput } from '../input.ts';
import { entryFor } from '../match-resources.ts';
import { existingInstance, instanceName, isUnmanaged, type InstanceKey, type Movement } from '../order/plan-node.ts';
import { isOtherSecret } from './other-secret.ts';
import { asReleased } from './released-routes.ts';
import { moduleEffects } from '../routing/module-effects.ts';
import { isPublic, takesPartInRouting, type RoutingModel, type RoutingNode } from '../routing/routing-model.ts';
import { routingModules } from '../routing/routing-modules.ts';

/** The routing as last applied, and the movements that lead from there to the routing as it is now. */
export interface Drift {
  readonly start: RoutingModel;
  readonly movements: readonly Movement[];
  /** Instances whose last applied spec is unknown, so that they may have changed unnoticed. */
  readonly unknown: ReadonlySet<InstanceKey>;
}

/** Compares the routing as it is with the specs in state. */
export function* driftOfRouting(now: RoutingModel, decisions: Decisions, input: PlanInput): Sliced<Drift> {
  const { state, account } = input;
  const unknown = new Set<InstanceKey>();
  if (state === undefined) return { start: now, movements: [], unknown: new Set(now.keys()) };
  // Most accounts have not drifted.
  let copy: Map<InstanceKey, RoutingNode> | undefined;
  const changed = (): Map<InstanceKey, RoutingNode> => (copy ??= new Map(now));
  const movements: Movement[] = [];
  const adopted: Movement[] = [];
  const compare = (instance: InstanceKey, node: RoutingNode, entry: Recorded, decision: Decision | undefined): void => {
    const recorded = recordedControls(node, entry, decision, input.digest);
    if (recorded === undefined) return;
    const sets = Object.fromEntries(Object.keys(recorded).map((name) => [name, node.spec[name] ?? null]));
    changed().set(instance, { ...node, spec: { ...node.spec, ...recorded }, isRemembered: true });
    const address = instanceName(instance);
    movements.push({ address, kind: node.kind, role: 'drift', effect: { type: 'changes', instance, sets } });
  };
  // Only a missing resource is looked up by the id of its parent.
  const instanceOfId = account.missing.length === 0 ? undefined : new Map<string, InstanceKey>();
  for (const [instance, node] of now) {
    yield;
    const address = instanceName(instance);
    if (isUnmanaged(instance)) {
      if (node.parent === undefined) continue;
      const spec = asReleased(instance, input);
      if (spec !== undefined) compare(instance, node, { spec }, undefined);
      else {
        changed().delete(instance);
        movements.push(...beginning(instance, node));
      }
      continue;
    }
    const decision = decisions.get(address);
    const entry = decision === undefined ? entryFor(account.ours.get(address), address, input) : decision.pair.entry;
    const isRecorded = entry !== undefined && recordsApplied(entry);
    if (!isRecorded || entry.rebuilt !== undefined) unknown.add(instance);
    // What another stack has taken over, and this one takes back, was applied by this one.
    if (decision?.pair.adopted === true && !isRecorded) {
      changed().delete(instance);
      adopted.push(...beginning(instance, node));
      continue;
    }
    if (entry !== undefined) instanceOfId?.set(entry.id, instance);
    if (isRecorded) compare(instance, node, entry, decision);
  }
  for (const [instance, node] of unread(copy ?? now, unknown)) {
    const { passesThrough: _, ...read } = node;
    changed().set(instance, read);
    movements.push(passingThrough(instance, node));
  }
  for (const [address, entry, kind] of vanished(account.missing, input)) {
    const instance = existingInstance(address);
    instanceOfId?.set(entry.id, instance);
    const parent = entry.parent === undefined ? undefined : instanceOfId?.get(entry.parent);
    if ((copy ?? now).has(instance) || (entry.parent !== undefined && parent === undefined)) continue;
    changed().set(instance, {
      kind,
      spec: entry.spec,
      isRemembered: true,
      ...(parent === undefined ? {} : { parent }),
    });
    movements.push({ address, kind, role: 'drift', effect: { type: 'ends', instance } });
  }
  // After what ended: it may have had the same address.
  return { start: copy ?? now, movements: [...movements, ...adopted], unknown };
}

/** A resource that nobody in this stack has applied: an unmanaged route, or one that the plan adopts. */
function beginning(instance: InstanceKey, { kind, spec, parent, passesThrough }: RoutingNode): Movement[] {
  const inside = parent === undefined ? {} : { parent };
  const effect = { type: 'begins', instance, spec, ...inside } as const;
  const begins: Movement = { address: instanceName(instance), kind, role: 'drift', effect };
  return passesThrough === undefined ? [begins] : [begins, passingThrough(instance, { kind })];
}

function passingThrough(instance: InstanceKey, { kind }: Pick<RoutingNode, 'kind'>): Movement {
  const effect = { type: 'changes', instance, sets: {}, passesThrough: true } as const;
  return { address: instanceName(instance), kind, role: 'drift', effect };
}

/** Edges that pass TLS through although this stack applied an access control to their requests: that control refuses no request. Of what is unmanaged, only routes that this stack has released are still in `start`, and edges. */
function unread(start: RoutingModel, unknown: Drift['unknown']): (readonly [InstanceKey, RoutingNode])[] {
  const passing: (readonly [InstanceKey, RoutingNode])[] = [];
  for (const one of start) if (one[1].passesThrough === true && !unknown.has(one[0])) passing.push(one);
  if (passing.length === 0) return [];
  const controlled = new Set<InstanceKey>();
  for (const [instance, node] of start) {
    const isApplied = (node.parent !== undefined || !isUnmanaged(instance)) && !unknown.has(instance);
    if (isApplied && !isPublic(moduleEffects(node).controls)) controlled.add(node.parent ?? instance);
  }
  return passing.filter(([instance]) => controlled.has(instance));
}

/** Resources in state that no longer exist, parents first. */
function vanished(missing: readonly Address[], { state, kinds }: PlanInput): (readonly [Address, Entry, Kind])[] {
  return missing
    .flatMap((address): (readonly [Address, Entry, Kind])[] => {
      const entry = state?.entries[address];
      const kind = entry && kinds.named(entry.kind);
      return entry === undefined || kind === undefined || !takesPartInRouting(kind) ? [] : [[address, entry, kind]];
    })
    .sort(([, a], [, b]) => Number(a.parent !== undefined) - Number(b.parent !== undefined));
}

/** A spec in state, and what is known of how the service shows it. */
type Recorded = Partial<Omit<Entry, 'spec'>> & { readonly spec: SpecObject };

/** The last applied values of the decisive fields that have changed since; undefined if none has. */
function recordedControls(
  { kind, spec }: RoutingNode,
  recorded: Recorded,
  decision: Decision | undefined,
  digest: SecretForm,
): SpecObject | undefined {
  if (decision !== undefined && isFoundAsApplied(decision, recorded)) return undefined;
  let differing: Record<string, SpecValue> | undefined;
  for (const name of routingModules(kind).decisive) {
    const wasSent = recorded.spec[name] ?? null;
    const now = spec[name] ?? null;
    const field = isSameText(wasSent, now) ? undefined : kind.fields[name];
    const then = field && recordedValue(field, name, { wasSent, now }, recorded, decision, digest);
    if (then !== undefined) differing = { ...differing, [name]: then };
  }
  return differing;
}

/** Whether the manifests want what was last applied, and the comparison with the service found no difference in any field, as of most resources. */
function isFoundAsApplied({ pair: { desired }, spec, compared }: Decision, recorded: Recorded): boolean {
  if (compared !== noDifference || desired === undefined || desired.lifecycle.ignore !== undefined) return false;
  return recorded.unclearedFields === undefined && isSameText(spec, recorded.spec);
}

/** The last applied value of a field that the service shows otherwise; undefined if it means the same. */
function recordedValue(
  field: Field,
  name: string,
  { wasSent, now }: { readonly wasSent: SpecValue; readonly now: SpecValue },
  { rewrittenTexts = {}, returnedSecrets = {}, filledIn = {}, unclearedFields }: Recorded,
  decision: Decision | undefined,
  digest: SecretForm,
): SpecValue | undefined {
  const wanted = unclearedFields === undefined ? decision : undefined;
  const unmanaged = decision?.compared.unmanagedFields ?? {};
  const left = Object.keys(unmanaged);
  const pointer = `/${name}`;
  // Services return more than was written. If the plan found no difference in this field, and compared all of it, it is unchanged.
  const isCompared = (): boolean => !left.some((one) => isAtOrBelow(one, [pointer]));
  if (wanted !== undefined && isFoundSame(wanted, name, wasSent) && isCompared()) return undefined;
  // A limit that only the service knows may have changed all the same.
  const held = left.filter((one) => unmanaged[one] !== 'unknown-default');
  const then = withFilledIn(wasSent, name, filledIn);
  const at: Spot = { pointer, held, rewrittenTexts, returnedSecrets, digest };
  if (field.is !== 'group') return isSame(field, then, now, { ...at, held: [] }) ? undefined : then;
  return isSameModule(field, then, now, at) ? undefined : withHeld(field, then, now, at);
}

/** A module as applied, with the limits that the service has filled in. */
function withFilledIn(module: SpecValue, name: string, filledIn: NonNullable<Entry['filledIn']>): SpecValue {
  return Object.entries(filledIn).reduce((filled, [pointer, limit]) => {
    const [of, ...path] = pointerNames(pointer);
    const isLeftOut = of === name && isSpecObject(filled) && (valueAt(filled, path) ?? null) === null;
    return isLeftOut ? withValueAt(filled, path, limit) : filled;
  }, module);
}

/** A module as applied, but for what the manifest leaves to others inside it. */
function withHeld(field: Group, then: SpecValue, now: SpecValue, { pointer, held }: Spot): SpecValue {
  if (!isInEffect(field, then) || !isInEffect(field, now)) return then;
  const paths = held.filter((one) => isAtOrBelow(one, [pointer])).map((one) => pointerNames(one).slice(1));
  return paths.reduce<SpecValue>((module, path) => withValueAt(module, path, valueAt(now, path) ?? null), then);
}

/** Whether the manifests want the last applied value of a field, and the comparison with the service found no difference. */
function isFoundSame({ pair: { desired }, spec, compared }: Decision, name: string, then: SpecValue): boolean {
  return (
    desired !== undefined &&
    desired.lifecycle.ignore === undefined &&
    isSameText(spec[name] ?? null, then) &&
    !compared.changes.some(({ path }) => path[0] === name)
  );
}

/** The pointer of a field, what the manifest leaves to others, and how the service rewrites texts and secrets. */
interface Spot {
  readonly pointer: string;
  readonly held: readonly string[];
  readonly returnedSecrets: NonNullable<Entry['returnedSecrets']>;
  readonly rewrittenTexts: NonNullable<Entry['rewrittenTexts']>;
  readonly digest: SecretForm;
}

function isSameModule(field: Group, then: SpecValue, now: SpecValue, at: Spot): boolean {
  const [was, is] = [isInEffect(field, then), isInEffect(field, now)];
  if (was === is) return !was || isSame(field, then, now, at);
  return !was && at.held.some((one) => isAtOrBelow(one, [at.pointer]) || isAtOrBelow(at.pointer, [one]));
}

/** Whether a secret that clients use was exchanged. What the service answered when it was written is no other. */
function isExchanged(then: SpecValue, now: SpecValue, { pointer, returnedSecrets, digest }: Spot): boolean {
  const isAsAnswered = now instanceof Secret && digest(now.reveal()) === returnedSecrets[pointer];
  return !isAsAnswered && isOtherSecret(then, now, digest);
}

/** Whether two values mean the same, as far as both are known: a secret that cannot be read, or an unknown default, is no difference. */
function isSame(field: Field, then: SpecValue, now: SpecValue, at: Spot): boolean {
  if (then === now || isAtOrBelow(at.pointer, at.held)) return true;
  if (field.is === 'leaf') {
    if (field.lifecycle === 'computed') return true;
    if (field.secret === true) return field.presented !== true || !isExchanged(then, now, at);
    return (
      (then === null && field.default === undefined) ||
      semanticEquals(field, then, now, at.digest) ||
      isRewritten(field, then, now, at.rewrittenTexts[at.pointer], at.digest)
    );
  }
  if (field.is !== 'group' || !isSpecObject(then) || !isSpecObject(now))
    return semanticEquals(field, then, now, at.digest);
  return namedFields(field.fields).every(({ name, field: inner }) => {
    const [was, is] = [then[name] ?? null, now[name] ?? null];
    return was === is || isSame(inner, was, is, { ...at, pointer: `${at.pointer}/${name}` });
  });
}
