import type { Fields, Group, Kind, KindSet } from '../../kinds/kind.ts';

/** The manifest word for modules that several resources share. */
export const moduleSetKind = 'ModuleSet';

/** The field by which a resource pulls module sets in. */
export const moduleSetsField = 'module_sets';

/** Whether resources of a kind may pull module sets in: those that live in another. */
export function takesModuleSets(kind: Kind): boolean {
  return kind.within !== undefined;
}

/** The modules of a kind: groups that are written and removed as a whole below its path. */
export function modulesOf(kind: Kind): Readonly<Record<string, Group>> {
  const modules = Object.entries(kind.fields).filter(
    (entry): entry is [string, Group] => entry[1].is === 'group' && entry[1].path !== undefined,
  );
  return Object.fromEntries(modules);
}

/** Every module that a module set may hold. */
export function moduleFields(kinds: KindSet): Fields {
  return Object.assign({}, ...kinds.all.filter(takesModuleSets).map(modulesOf)) as Fields;
}
