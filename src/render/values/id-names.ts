import type { Plan } from '../../model/plan/plan.ts';

/** What people call an id: the address of the resource, by id. */
export type IdNames = ReadonlyMap<string, string>;

/** No id has a name. */
export const noNames: IdNames = new Map();

/** The names of all ids that a plan knows: its own resources, and those that manifests name. */
export function idNames({ changes, externals = {} }: Plan): IdNames {
  const own = changes.flatMap(({ id, address }): [string, string][] => (id === undefined ? [] : [[id, address]]));
  return new Map([...Object.entries(externals), ...own]);
}
