import { addToGroup } from '../../model/group-by.ts';
import type { Change, Hazard } from '../../model/plan/plan.ts';

// Two are read as fast as their heading.
const fewest = 3;

/** A change with the lines that a person reads of it, without those that are of its resource alone. */
export interface ReadChange {
  readonly change: Change;
  readonly details: readonly string[];
}

/** Changes that read the same but for their resources, together, where the first of them is; each of the others alone. Changes with different hazards are never together. */
export function foldIdentical(
  changes: readonly ReadChange[],
  hazards: readonly Hazard[],
): readonly (readonly ReadChange[])[] {
  const codes = new Map<string, string[]>();
  for (const { address, code } of hazards) addToGroup(codes, address, code);
  const groups = new Map<string, { readonly at: number; readonly changes: ReadChange[] }>();
  changes.forEach((one, at) => {
    const { action, kind, address } = one.change;
    const key = JSON.stringify([action, kind, codes.get(address) ?? [], one.details]);
    const group = groups.get(key) ?? { at, changes: [] };
    group.changes.push(one);
    groups.set(key, group);
  });
  const first = new Map(
    [...groups.values()].filter((group) => group.changes.length >= fewest).map((group) => [group.at, group.changes]),
  );
  const inGroup = new Set([...first.values()].flat());
  return changes.flatMap((one, at) => {
    const group = first.get(at);
    return group === undefined ? (inGroup.has(one) ? [] : [[one]]) : [group];
  });
}
