import { isSpecObject, type SpecObject } from '../../kinds/value.ts';
import { notFound, Refusal } from '../answer.ts';
import { refuseBreaches, refuseConflicts, refuseInUse } from './conflicts.ts';
import type { Family, Stored } from '../family.ts';
import { validateRules, moduleOf, specOf } from '../forms/write-form.ts';
import { timeOf, type EmulatorWorld } from '../world.ts';
import { parsedJson } from '../../model/json-object.ts';

/** Makes a resource out of a body. */
export function createResource(
  family: Family,
  parent: string | undefined,
  body: SpecObject,
  world: EmulatorWorld,
): Stored {
  if (family.within !== undefined && world.account.get(family.within.kind, parent ?? '') === undefined)
    throw new Refusal(400, 'NO_SUCH_PARENT', 'The parent resource does not exist.');
  const own = withoutPathIds(family, body, parent, undefined);
  const spec = specOf(family, own, world.settings.profile, undefined);
  const draft: Stored = {
    kind: family.name,
    id: world.chance.id(family.idPrefix),
    ...(parent === undefined ? {} : { parent }),
    seq: world.account.created++,
    created_at: timeOf(world.settings.clock()),
    spec,
    own: {},
  };
  return commit(family, draft, undefined, world);
}

/** Changes what a body names and leaves the rest. */
export function updateResource(family: Family, before: Stored, body: SpecObject, world: EmulatorWorld): Stored {
  const own = withoutPathIds(family, body, before.parent, before.id);
  const accepted = world.behaviours.get(family.name)?.interpret?.(own, world) ?? own;
  const spec = specOf(family, accepted, world.settings.profile, before.spec);
  return commit(family, { ...before, spec }, before, world);
}

/** Removes a resource with its nested resources. */
export function deleteResource(resource: Stored, world: EmulatorWorld): void {
  refuseInUse(resource, world);
  for (const { name, within } of world.families.values())
    if (within?.kind === resource.kind) for (const child of world.account.all(name, resource.id)) remove(child, world);
  remove(resource, world);
}

/** Puts a whole module in place of what was there. */
export function putModule(
  family: Family,
  name: string,
  before: Stored,
  body: SpecObject,
  world: EmulatorWorld,
): Stored {
  const group = family.fields[name];
  if (group?.is !== 'group') throw notFound();
  const own = withoutPathIds(family, body, before.parent, before.id);
  const module = moduleOf(group, bareModule(own), world.settings.profile);
  const spec = { ...before.spec, [name]: module };
  validateRules(family.rules, spec, world.settings.profile, before.spec);
  return commit(family, { ...before, spec }, before, world);
}

/** Takes a module away; done as well when it was not set. */
export function unsetModule(family: Family, name: string, before: Stored, world: EmulatorWorld): Stored {
  const spec = Object.fromEntries(Object.entries(before.spec).filter(([field]) => field !== name));
  return commit(family, { ...before, spec }, before, world);
}

function commit(family: Family, draft: Stored, before: Stored | undefined, world: EmulatorWorld): Stored {
  const changed = { ...draft, spec: changedFields(draft.spec, before?.spec) };
  refuseConflicts(family, changed, world);
  refuseBreaches(family, draft, before?.spec, world);
  const behaviour = world.behaviours.get(family.name);
  const resource = { ...draft, own: behaviour?.decide?.(draft, before, world) ?? draft.own };
  world.account.put(resource);
  behaviour?.follow?.(resource, before, world);
  return resource;
}

/** The fields that a write has set. What it leaves may be in conflict as it was before, as in an account copied from elsewhere. */
function changedFields(spec: SpecObject, before: SpecObject = {}): SpecObject {
  return Object.fromEntries(Object.entries(spec).filter(([name, value]) => value !== before[name]));
}

function remove(resource: Stored, world: EmulatorWorld): void {
  world.account.remove(resource);
  world.behaviours.get(resource.kind)?.follow?.(undefined, resource, world);
}

/** A body may repeat the ids of its path (its own only where it has one yet), and no others. */
export function withoutPathIds(
  family: Family,
  body: SpecObject,
  parent: string | undefined,
  id: string | undefined,
): SpecObject {
  const repeated = new Map<string, string>();
  if (id !== undefined) repeated.set('id', id);
  if (family.within !== undefined && parent !== undefined) repeated.set(family.within.by, parent);
  const other = [...repeated].find(([name, is]) => Object.hasOwn(body, name) && body[name] !== is);
  if (other !== undefined)
    throw new Refusal(400, 'ID_MISMATCH', `\`${other[0]}\` in the body differs from the id in the path.`);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !repeated.has(name)));
}

/** The module in a body: as it is, or under `module`, where the generators of some typed clients put it. */
function bareModule(body: SpecObject): SpecObject {
  const { module, ...others } = body;
  return isSpecObject(module) && Object.keys(others).length === 0 ? module : body;
}

/** A body as JSON, which must be an object. The text is never repeated: it may hold secrets. */
export function bodyObject(text: string): SpecObject {
  const body = parsedJson(text);
  if (body === undefined) throw new Refusal(400, 'MALFORMED_JSON', 'The body is not JSON.');
  if (!isSpecObject(body)) throw new Refusal(400, 'INVALID_TYPE', 'The body must be a JSON object.');
  return body;
}

/** The same where nothing need be in it: then some clients send no body. */
export function bodyOrEmpty(text: string): SpecObject {
  return text === '' ? {} : bodyObject(text);
}
