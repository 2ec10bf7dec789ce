import { namedFields } from '../../kinds/named-fields.ts';
import { oncePer } from '../../kinds/once-per.ts';
import type { Group, Kind, Operations, Profile, Provenance, View } from '../../kinds/kind.ts';
import type { PathPart, PlannedRequest } from '../../model/plan/plan.ts';

/** Whether a profile allows operations and fields of a source. */
export function mayUse(profile: Profile, since: Provenance | undefined): boolean {
  return since === 'described' || (since === 'completed' && profile === 'completed');
}

/** The calls that may be made for a kind under a profile. */
export function offers(kind: Kind, profile: Profile): Offered {
  return offered(kind)[profile];
}

type Offered = Readonly<Record<'get' | 'list' | 'update' | 'delete', boolean>>;

// Found once: every resource is asked for it.
const offered = oncePer(new WeakMap<Kind, Readonly<Record<Profile, Offered>>>(), ({ operations }) => {
  const under = (profile: Profile): Offered => {
    const may = (call: keyof Operations): boolean => mayUse(profile, operations[call]);
    return { get: may('get'), list: may('list'), update: may('update'), delete: may('delete') };
  };
  return { documented: under('documented'), completed: under('completed') };
});

/** Whether a group has its own PUT and DELETE under a profile. */
export function hasOwnPath(group: Group, profile: Profile): boolean {
  return group.path !== undefined && mayUse(profile, group.path.since);
}

/** The operation of a kind that a request uses: its name, its module, and the source of the fact that it exists. */
export function operationOf(
  kind: Kind,
  { method, path }: Pick<PlannedRequest, 'method' | 'path'>,
): { readonly name: string; readonly module: string | undefined; readonly since: Provenance | undefined } {
  const last = path.at(-1);
  const name = `${method} ${kind.name}`;
  for (const { name: module, field } of namedFields(kind.fields))
    if (field.is === 'group' && field.path !== undefined && field.path.suffix === last)
      return { name: `${name}${field.path.suffix}`, module, since: field.path.since };
  const { create, update, delete: remove } = kind.operations;
  return { name, module: undefined, since: { POST: create, PATCH: update, PUT: update, DELETE: remove }[method] };
}

/** Where a kind is created and listed; a nested kind needs the id of its parent. */
export function collectionPath(kind: View, parent?: PathPart): PathPart[] {
  const [before = '', after] = kind.path.split(/\{[^}]+\}/);
  if (after === undefined) return [kind.path];
  if (parent === undefined) throw new TypeError(`a ${kind.name} is part of another resource, whose id is missing`);
  return [before, parent, after];
}

/** Where one resource is found, or one of its modules. */
export function itemPath(kind: Kind, id: PathPart, parent?: PathPart, module?: Group): PathPart[] {
  return [...collectionPath(kind, parent), '/', id, ...(module?.path === undefined ? [] : [module.path.suffix])];
}

/** The path as text, ids percent-encoded; without `idOf`, an id not known yet is its address in braces. */
export function pathText(parts: readonly PathPart[], idOf?: (address: string) => string): string {
  return parts.map((part) => partText(part, idOf)).join('');
}

function partText(part: PathPart, idOf: ((address: string) => string) | undefined): string {
  if (typeof part === 'string') return part;
  if ('id' in part) return pathSegment(part.id);
  return idOf === undefined ? `{${part.idOf}}` : pathSegment(idOf(part.idOf));
}

/** An id as one segment of a path. Half of a surrogate pair, which no path can hold, stands as the sign for what is unknown. */
export function pathSegment(id: string): string {
  return encodeURIComponent(Buffer.from(id).toString());
}
