/*
 * A decision as the fewest requests that carry it out.
 *
 *   create     POST with everything, then PATCH for fields that only an update takes
 *   update     one PATCH with the fields that changed (modules whole), then DELETE for each module taken away;
 *              where no PATCH is offered: PUT or DELETE of each module
 *   replace    POST and DELETE, in either order
 *   delete     DELETE; nothing for what goes with its parent
 *   forget     PATCH that takes our key out of metadata
 *
 * Two modules of which only one may be enabled are swapped in one PATCH: the outgoing one is sent switched off
 * beside the incoming one, and deleted after.
 */
import { isMask } from '../derive/mask.ts';
import { markerField } from '../derive/marker.ts';
import { collectionPath, itemPath, offers } from '../derive/wire/operations.ts';
import { namedFields } from '../kinds/named-fields.ts';
import type { Group, Kind, Profile } from '../kinds/kind.ts';
import { isSpecObject, Ref, Secret, type SpecObject, type SpecValue } from '../kinds/value.ts';
import {
  isReplacement,
  type PathPart,
  type PlannedRequest,
  type StepRole,
  type WriteMethod,
} from '../model/plan/plan.ts';
import type { Decision } from './decide.ts';
import { newInstance, existingInstance, type PlanNode, type Effect, type InstanceKey } from './order/plan-node.ts';
import { replacementSpec, moduleToWrite } from './written-specs.ts';
import { withoutNulls } from '../derive/wire/without-nulls.ts';

/** What stands in for a secret that cannot be read, in a module that is disabled and deleted next. */
export const REMOVED_SECRET = 'sluice-removed';

/** The instance of a resource that is there, by its id. */
export type InstanceOfId = (id: string) => InstanceKey;

/** The requests of one decision, ordered only among themselves yet. */
export function requestsOf(decision: Decision, profile: Profile, instanceOf: InstanceOfId): PlanNode[] {
  const { action, unsupported } = decision;
  if (unsupported !== undefined) return [];
  if (action === 'create') return creation(decision, profile, instanceOf);
  if (action === 'update' || action === 'adopt') return change(decision, profile);
  if (action === 'delete') return removal(decision);
  if (action === 'forget') return releaseMarker(decision, profile);
  if (!isReplacement(action)) return [];
  const [remove, create] = [removal(decision), creation(decision, profile, instanceOf)];
  const [first, then, reason] =
    action === 'replace-create-first'
      ? [create, remove, 'the replacement is created first']
      : [remove, create, 'the old resource is deleted first'];
  for (const later of then) for (const earlier of first) later.after.set(earlier, reason);
  return [...first, ...then];
}

function stepFor(
  decision: Decision,
  role: StepRole,
  request: PlannedRequest,
  effect: Effect,
  detail = '',
  note?: string,
): PlanNode {
  const { address, kind } = decision.pair;
  const id = `${address} ${role}${detail === '' ? '' : ` ${detail}`}`;
  return { id, address, kind, role, request, effect, after: new Map(), ...(note === undefined ? {} : { note }) };
}

function creation(decision: Decision, profile: Profile, instanceOf: InstanceOfId): PlanNode[] {
  const { kind, address } = decision.pair;
  const spec = replacementSpec(decision);
  const by = kind.within?.by;
  const later = namedFields(kind.fields).filter(
    ({ name, field }) => field.is === 'leaf' && field.notOnCreate === true && isSet(spec[name]),
  );
  const late = new Set(later.map(({ name }) => name));
  const body = Object.fromEntries(
    Object.entries(spec).filter(([name, value]) => isSet(value) && name !== by && !late.has(name)),
  );
  const inside = parentPart(decision, instanceOf);
  const effect: Effect = {
    type: 'begins',
    instance: newInstance(address),
    spec,
    ...(inside === undefined ? {} : { parent: inside.instance }),
  };
  const path = collectionPath(kind, inside?.part);
  const request = {
    method: 'POST',
    path,
    body: withoutNulls(body),
    ...marking(decision),
    ...lasting(decision),
  } as const;
  const create = stepFor(decision, 'create', request, effect);
  if (later.length === 0 || !offers(kind, profile).update) return [create];
  const rest = Object.fromEntries(later.map(({ name }) => [name, spec[name] ?? null]));
  const finish = stepFor(
    decision,
    'update',
    { method: 'PATCH', path: itemPath(kind, { idOf: address }, inside?.part), body: rest },
    { type: 'changes', instance: newInstance(address), sets: rest },
    'sent after the resource is created',
    `the create request does not accept ${[...late].map((name) => `\`${name}\``).join(', ')}`,
  );
  finish.after.set(create, 'the resource must be created first');
  return [create, finish];
}

function change(decision: Decision, profile: Profile): PlanNode[] {
  const { pair, compared, spec, markerDiffers } = decision;
  const { kind, actual } = pair;
  const changed = [...new Set(compared.changes.map(({ path }) => String(path[0])))];
  const [sets, unsets]: [Record<string, SpecValue>, string[]] = [{}, []];
  for (const name of changed) {
    const field = kind.fields[name];
    const want = spec[name] ?? null;
    if (field?.is !== 'group')
      sets[name] = want ?? (field?.is === 'list' ? [] : field?.is === 'leaf' && field.ref !== undefined ? null : '');
    else if (isSpecObject(want)) sets[name] = moduleToWrite(decision, name, field, want);
    else if (field.path === undefined) sets[name] = null;
    else unsets.push(name);
  }
  const carrier = markerField(kind);
  const carriesMarker = carrier !== undefined && (markerDiffers || Object.hasOwn(sets, carrier));
  if (carriesMarker) sets[carrier] = spec[carrier] ?? '';
  const removalOf = new Map(unsets.map((name) => [name, unset(decision, name)]));
  const removals = [...removalOf.values()];
  if (!offers(kind, profile).update)
    return [...Object.keys(sets).map((name) => put(decision, name, sets[name] ?? null)), ...removals];
  if (Object.keys(sets).length === 0) return removals;

  const outgoing = outgoingModules(kind, { ...actual?.spec, ...sets }, unsets);
  for (const name of outgoing) {
    const [field, module] = [kind.fields[name], actual?.spec[name]];
    if (field?.is === 'group' && isSpecObject(module)) sets[name] = { ...readable(field, module), enabled: false };
  }
  const own = carriesMarker ? marking(decision) : {};
  const patch = changeStep(decision, 'update', 'PATCH', sets, { body: sets, ...own });
  for (const name of outgoing)
    removalOf.get(name)?.after.set(patch, 'the module is disabled first, so access control has no gap');
  return [patch, ...removals];
}

function removal(decision: Decision): PlanNode[] {
  const { pair, deletedWith } = decision;
  if (deletedWith !== undefined) return [];
  const effect: Effect = { type: 'ends', instance: existingInstance(pair.address) };
  return [stepFor(decision, 'delete', { method: 'DELETE', path: ownPath(decision) }, effect)];
}

/** Takes our key out of metadata, so that nobody takes the resource for ours again. */
function releaseMarker(decision: Decision, profile: Profile): PlanNode[] {
  const { pair, markerDiffers } = decision;
  const carrier = markerField(pair.kind);
  if (!markerDiffers || carrier === undefined || !offers(pair.kind, profile).update) return [];
  const sets = { [carrier]: pair.actual?.spec[carrier] ?? '' };
  return [changeStep(decision, 'update', 'PATCH', sets, { body: sets })];
}

/** A PUT of one module, if the profile has no PATCH. */
function put(decision: Decision, name: string, value: SpecValue): PlanNode {
  const body = isSpecObject(value) ? { body: value } : {};
  return changeStep(decision, 'put', 'PUT', { [name]: value }, { module: name, detail: name, ...body });
}

function unset(decision: Decision, name: string): PlanNode {
  return changeStep(decision, 'unset', 'DELETE', { [name]: null }, { module: name, detail: name });
}

/** What a step that changes a resource has besides: the module that it is about, and what it sends. */
interface ChangeOptions extends Pick<PlannedRequest, 'body' | 'marker'> {
  readonly module?: string;
  readonly detail?: string;
  readonly note?: string;
}

/** A step that changes fields of a resource that is there. */
export function changeStep(
  decision: Decision,
  role: StepRole,
  method: WriteMethod,
  sets: SpecObject,
  { module, detail, note, ...content }: ChangeOptions,
): PlanNode {
  const effect: Effect = { type: 'changes', instance: existingInstance(decision.pair.address), sets };
  return stepFor(decision, role, { method, path: ownPath(decision, module), ...content }, effect, detail, note);
}

/** The path of a resource that is there, or of one of its modules. */
function ownPath({ pair }: Decision, module?: string): PathPart[] {
  const { kind, actual } = pair;
  const field = module === undefined ? undefined : kind.fields[module];
  const parent = actual?.parent === undefined ? undefined : { id: actual.parent };
  return itemPath(kind, { id: actual?.id ?? '' }, parent, field?.is === 'group' ? field : undefined);
}

/** The parent of a resource that is to be created: its id as far as known, and its instance. */
function parentPart(
  { pair, spec }: Decision,
  instanceOf: InstanceOfId,
): { readonly part: PathPart; readonly instance: InstanceKey } | undefined {
  const { within } = pair.kind;
  if (within === undefined) return undefined;
  const parent = spec[within.by];
  if (parent instanceof Ref) return { part: { idOf: parent.to }, instance: newInstance(parent.to) };
  const id = typeof parent === 'string' ? parent : '';
  return { part: { id }, instance: instanceOf(id) };
}

/** The modules that must be sent disabled, so that the actual and the sent modules together break no rule of the kind. */
function outgoingModules(kind: Kind, between: SpecObject, unsets: readonly string[]): string[] {
  if (unsets.length === 0 || !kind.rules.some((rule) => rule.check(between).length > 0)) return [];
  return unsets.filter((name) => {
    const field = kind.fields[name];
    return field?.is === 'group' && field.accessControl !== undefined && isSpecObject(between[name]);
  });
}

/** A module as read, with a placeholder for a secret that cannot be read but may not be missing. */
function readable(group: Group, module: SpecObject): SpecObject {
  const sent: Record<string, SpecValue> = {};
  for (const [name, value] of Object.entries(module)) {
    const field = group.fields[name];
    const masked = value instanceof Secret && isMask(value.reveal());
    if (!masked) sent[name] = field?.is === 'group' && isSpecObject(value) ? readable(field, value) : value;
  }
  for (const [name, field] of Object.entries(group.fields)) {
    if (field.is !== 'leaf' || field.secret !== true || isSet(sent[name])) continue;
    if (field.required !== undefined || group.rules.some((rule) => rule.check(sent).length > 0))
      sent[name] = REMOVED_SECRET;
  }
  return sent;
}

function marking({ marker, pair }: Decision): Pick<PlannedRequest, 'marker'> {
  const field = markerField(pair.kind);
  return marker === undefined || field === undefined ? {} : { marker: { field, marker } };
}

function lasting({ pair: { kind, desired } }: Decision): Pick<PlannedRequest, 'validFor'> {
  const seconds = desired?.lifecycle.valid_for;
  return kind.renewal === undefined || seconds === undefined
    ? {}
    : { validFor: { field: kind.renewal.expiryField, seconds } };
}

function isSet(value: SpecValue | undefined): boolean {
  return value !== undefined && value !== null;
}
