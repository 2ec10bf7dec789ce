import type { Profile, Provenance } from '../../kinds/kind.ts';
import { mayUse } from '../../derive/wire/operations.ts';
import type { Family } from '../family.ts';
import { addToGroup } from '../../model/group-by.ts';

/** What a path leads to. */
export interface Target {
  readonly family: Family;
  readonly place: 'collection' | 'item' | 'module' | 'action';
  /** The field of the module, or the word of the action. */
  readonly detail?: string;
  readonly methods: ReadonlyMap<string, Provenance>;
}

/** A target found, with the ids out of the path: those of the parent first. */
export interface MatchedCall {
  readonly target: Target;
  readonly ids: readonly string[];
}

interface Route {
  readonly segments: readonly (string | undefined)[];
  readonly target: Target;
}

/** Finds what a path leads to, by a table made of the families: collections, items, modules with a path of their own, actions. */
export function router(families: Iterable<Family>): (path: string) => MatchedCall | undefined {
  const byLength = new Map<number, Route[]>();
  for (const family of families)
    for (const [path, target] of targetsOf(family)) {
      const segments = path.split('/').map((segment) => (segment.startsWith('{') ? undefined : segment));
      addToGroup(byLength, segments.length, { segments, target });
    }
  return (path) => {
    const given = path.split('/').map(decoded);
    const route = byLength
      .get(given.length)
      ?.find(({ segments }) => segments.every((segment, at) => segment === undefined || segment === given[at]));
    if (route === undefined) return undefined;
    const ids = given.filter((_, at) => route.segments[at] === undefined);
    return { target: route.target, ids };
  };
}

/** The methods of a target that the profile offers. */
export function offered({ methods }: Target, profile: Profile): string[] {
  return [...methods].flatMap(([method, since]) => (mayUse(profile, since) ? [method] : []));
}

function targetsOf(family: Family): [string, Target][] {
  const { path, operations, fields, actions = [] } = family;
  const item = `${path}/{id}`;
  const targets: [string, Target][] = [
    [path, { family, place: 'collection', methods: known({ GET: operations.list, POST: operations.create }) }],
    [
      item,
      {
        family,
        place: 'item',
        methods: known({ GET: operations.get, PATCH: operations.update, DELETE: operations.delete }),
      },
    ],
  ];
  for (const [detail, field] of Object.entries(fields))
    if (field.is === 'group' && field.path !== undefined) {
      const { suffix, since } = field.path;
      const methods = known({ PUT: since, GET: since, DELETE: since });
      targets.push([item + suffix, { family, place: 'module', detail, methods }]);
    }
  for (const detail of actions)
    targets.push([`${item}/${detail}`, { family, place: 'action', detail, methods: known({ POST: 'described' }) }]);
  return targets.filter(([, { methods }]) => methods.size > 0);
}

function known(methods: Readonly<Record<string, Provenance | undefined>>): Map<string, Provenance> {
  return new Map(Object.entries(methods).flatMap(([method, since]) => (since === undefined ? [] : [[method, since]])));
}

/** A segment as it was before it was put into a path; one that cannot have been put there is none. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
