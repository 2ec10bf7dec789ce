/*
 * Two copies of a stack, each with its own state and lock file, may create the same resource at the same time: they share
 * nothing that prevents it. If the service requires a unique value, such as a domain, it refuses the second creation. For
 * other kinds, an apply lists at its end each kind of which it created a resource. Of two applies that overlap, the one
 * that lists last sees the resources of both.
 */
import type { Client } from '../api/client.ts';
import { fromWire } from '../derive/wire/from-wire.ts';
import { collectionPath, offers, pathText } from '../derive/wire/operations.ts';
import { isUnset } from '../kinds/checks.ts';
import type { Kind, Profile } from '../kinds/kind.ts';
import type { SpecObject } from '../kinds/value.ts';
import type { Marker } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import { addToGroup, groupBy } from '../model/group-by.ts';
import type { Duplicate } from '../model/outcome.ts';

/** A resource that this run has created. */
export interface Made {
  readonly address: Address;
  readonly kind: Kind;
  readonly id: string;
  readonly marker: Marker;
  readonly spec: SpecObject;
}

/** What a search for duplicates needs beside what was created. */
interface DuplicateSearch {
  readonly client: Pick<Client, 'pages'>;
  readonly profile: Profile;
  readonly isKnown: (id: string) => boolean;
  /** Whether further requests may be sent; asked at each page. */
  readonly mayGoOn: () => boolean;
}

/** Finds other new resources with the marker of a created one. An error in a list is ignored: the next plan reports the duplicates. */
export async function duplicatesMade(made: readonly Made[], search: DuplicateSearch): Promise<Duplicate[]> {
  const { profile } = search;
  const byKind = groupBy(
    // The service refuses a second resource with a unique value.
    made.filter(
      ({ kind, spec }) => offers(kind, profile).list && kind.unique.every(({ field }) => isUnset(spec[field])),
    ),
    ({ kind }) => kind,
  );
  const found = [...byKind].map(([kind, own]) => duplicatesOf(kind, own, search).catch(() => []));
  return (await Promise.all(found)).flat();
}

async function duplicatesOf(
  kind: Kind,
  made: readonly Made[],
  { client, isKnown, mayGoOn }: DuplicateSearch,
): Promise<Duplicate[]> {
  const others = new Map<string, string[]>();
  for await (const page of client.pages(pathText(collectionPath(kind)), kind.listKey)) {
    // Results are saved meanwhile: if that fails, or the lock is lost, no other page is asked for.
    if (!mayGoOn()) return [];
    for (const item of page) {
      const { id, marker } = fromWire(kind, item);
      if (marker === undefined || isKnown(id)) continue;
      addToGroup(others, `${marker.s} ${marker.a}`, id);
    }
  }
  return made.flatMap(({ address, id, marker }) => {
    const ids = others.get(`${marker.s} ${marker.a}`);
    return ids === undefined ? [] : [{ address, kind: kind.name, id, otherIds: [...new Set(ids)] }];
  });
}
