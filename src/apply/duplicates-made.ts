/*
 * What two copies of a stack create at once, each with a state and a lock file of its own, is there twice: nothing that
 * they share keeps them apart. Where a service keeps something unique, such as a domain, it refuses the second. For the
 * rest an apply lists, at its end, each kind in which it created something. Of two that overlap, the one that lists last
 * sees what both have created.
 */
import type { Client } from '../api/client.ts';
import { fromWire } from '../derive/wire/from-wire.ts';
import { collectionPath, offers, pathText } from '../derive/wire/operations.ts';
import type { Kind, Profile } from '../kinds/kind.ts';
import type { Marker } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import { groupBy } from '../model/group-by.ts';
import type { Duplicate } from '../model/outcome.ts';
import { addToGroup } from '../model/group-by.ts';

/** Something that a run has created, with its marker. */
export interface Made {
  readonly address: Address;
  readonly kind: Kind;
  readonly id: string;
  readonly marker: Marker;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Finds what else carries a marker of what was created, and was not there before. A list that fails finds nothing: the next plan shows it. */
export async function duplicatesMade(
  made: readonly Made[],
  client: Pick<Client, 'list'>,
  profile: Profile,
  isKnown: (id: string) => boolean,
): Promise<Duplicate[]> {
  const byKind = groupBy(
    made.filter(({ kind, spec }) => offers(kind, profile).list && !isKeptUnique(kind, spec)),
    ({ kind }) => kind,
  );
  const found = await Promise.all(
    [...byKind].map(async ([kind, own]) => {
      try {
        return await duplicatesOf(kind, own, client, isKnown);
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}

/** Whether the service refuses a second one. */
function isKeptUnique({ unique }: Kind, spec: Made['spec']): boolean {
  return unique.some(({ field }) => {
    const value = spec[field];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '';
  });
}

async function duplicatesOf(
  kind: Kind,
  made: readonly Made[],
  client: Pick<Client, 'list'>,
  isKnown: (id: string) => boolean,
): Promise<Duplicate[]> {
  const others = new Map<string, string[]>();
  for await (const item of client.list(pathText(collectionPath(kind)), kind.listKey)) {
    const { id, marker } = fromWire(kind, item);
    if (marker === undefined || isKnown(id)) continue;
    addToGroup(others, `${marker.s} ${marker.a}`, id);
  }
  return made.flatMap(({ address, id, marker }) => {
    const ids = others.get(`${marker.s} ${marker.a}`);
    return ids === undefined ? [] : [{ address, kind: kind.name, id, otherIds: ids }];
  });
}
