import { isDeepStrictEqual } from 'node:util';
import { fromWire } from '../derive/wire/from-wire.ts';
import { maskRecorded } from '../derive/external/mask-recorded.ts';
import { isAtOrBelow, pointerOf } from '../derive/pointer.ts';
import { rewrittenTexts } from '../derive/stored/rewritten-texts.ts';
import { toState } from '../derive/stored/to-state.ts';
import type { Kind } from '../kinds/kind.ts';
import { isSpecObject, Secret, type Path, type SpecObject, type SpecValue } from '../kinds/value.ts';
import type { Change } from '../model/plan/plan.ts';
import type { Entry, UnclearedText } from '../model/state.ts';

/** What is known of a resource once a request for it has been answered. */
export interface Applied {
  readonly change: Change;
  readonly kind: Kind;
  readonly id: string;
  readonly parent?: string;
  /** The desired spec with ids in place, as far as it has been written. */
  readonly spec: SpecObject;
  readonly nonce?: string;
  /** The service's answer, where it was the whole resource. */
  readonly answer?: unknown;
  readonly previous: Entry | undefined;
  /** Ids of what it replaced that are still to be deleted. */
  readonly deposed: readonly string[];
  /** The fields that requests of this run have written. */
  readonly sent: ReadonlySet<string>;
  /** What the service would not clear, by pointer. */
  readonly uncleared: Readonly<Record<string, string>>;
}

/** What state is to remember of a resource. */
export function entryOf(
  { change, kind, id, parent, spec, nonce, answer, previous, deposed, sent, uncleared }: Applied,
  digest: (text: string) => string,
): Entry {
  const known = withoutUnverified(spec, change.unverified, []);
  const shown = answer === undefined ? undefined : fromWire(kind, answer).spec;
  const returned = { ...previous?.returnedSecrets, ...secretsReturned(spec, shown, digest) };
  const rewritten = rewrittenNow(previous, kind, onlySent(spec, sent), shown, digest);
  const kept = { ...stillUncleared(previous, change), ...newlyUncleared(uncleared, kind, previous, digest) };
  const mark = change.marker === undefined ? undefined : change.marker.n === '' ? nonce : change.marker.n;
  // What it replaces was deleted, as the service says; should it turn up all the same, it is known as ours.
  const replaced = previous?.nonce !== undefined && previous.id !== id ? [previous.nonce] : [];
  const defined = change.manifestPlace ?? change.place;
  const former = [...new Set([...(previous?.formerNonces ?? []), ...replaced])];
  return {
    kind: kind.name,
    id,
    ...(parent === undefined ? {} : { parent }),
    spec: toState(kind.fields, known, digest),
    protect: change.protect,
    retain: change.retain,
    ...(mark === undefined ? {} : { nonce: mark }),
    ...(former.length === 0 ? {} : { formerNonces: former }),
    ...(deposed.length === 0 ? {} : { deposed }),
    ...(defined === undefined ? {} : { source: `${defined.file}:${String(defined.line)}` }),
    ...(Object.keys(returned).length === 0 ? {} : { returnedSecrets: returned }),
    ...(change.unverified.length === 0 ? {} : { unverifiedSecrets: change.unverified }),
    ...(Object.keys(rewritten).length === 0 ? {} : { rewrittenTexts: rewritten }),
    ...(Object.keys(kept).length === 0 ? {} : { unclearedFields: kept }),
  };
}

/** What was not sent may differ for any other reason. */
function onlySent(spec: SpecObject, sent: ReadonlySet<string>): SpecObject {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => sent.has(name)));
}

/** Texts that the service shows otherwise than they were sent: as before, but for what this answer shows. */
function rewrittenNow(
  previous: Entry | undefined,
  kind: Kind,
  spec: SpecObject,
  shown: SpecObject | undefined,
  digest: (text: string) => string,
): NonNullable<Entry['rewrittenTexts']> {
  const now = shown === undefined ? {} : rewrittenTexts(kind.fields, spec, shown, digest);
  const all = Object.entries({ ...previous?.rewrittenTexts, ...now });
  return Object.fromEntries(all.flatMap(([pointer, pair]) => (pair === undefined ? [] : [[pointer, pair]])));
}

/** Whether all that is new of an entry is the place where its resource is written. */
export function isMoveOnly(previous: Entry | undefined, entry: Entry): boolean {
  if (previous === undefined || previous.source === entry.source) return false;
  return isDeepStrictEqual({ ...previous, source: '' }, { ...entry, source: '' });
}

/** What the service would not clear before, and what the plan held for it again. */
function stillUncleared(
  previous: Entry | undefined,
  { unmanagedFields }: Change,
): Readonly<Record<string, UnclearedText>> {
  return Object.fromEntries(
    Object.entries(previous?.unclearedFields ?? {}).filter(([pointer]) => Object.hasOwn(unmanagedFields, pointer)),
  );
}

/** What the service would not clear just now; a text that came from outside as its digest. */
function newlyUncleared(
  kept: Readonly<Record<string, string>>,
  kind: Kind,
  previous: Entry | undefined,
  digest: (text: string) => string,
): Readonly<Record<string, UnclearedText>> {
  return Object.fromEntries(
    Object.entries(kept).map(([pointer, text]): [string, UnclearedText] => {
      const name = pointer.slice(1);
      const masked = maskRecorded(kind.fields, { [name]: text }, previous);
      return [pointer, toState(kind.fields, masked, digest)[name] as UnclearedText];
    }),
  );
}

/** Digests of secrets that the service answered otherwise than we wrote them: its way of hiding them (decisions/0035). */
function secretsReturned(
  spec: SpecObject,
  shown: SpecObject | undefined,
  digest: (text: string) => string,
): Record<string, string> {
  if (shown === undefined) return {};
  const answered = secretsIn(shown, []);
  const written = new Map(secretsIn(spec, []).map(({ pointer, text }) => [pointer, text]));
  const other = answered.filter(({ pointer, text }) => written.has(pointer) && written.get(pointer) !== text);
  return Object.fromEntries(other.map(({ pointer, text }) => [pointer, digest(text)]));
}

/** Every secret in a spec with where it stands. */
export function secretsIn(value: SpecValue, path: Path): { readonly pointer: string; readonly text: string }[] {
  if (value instanceof Secret) return [{ pointer: pointerOf(path), text: value.reveal() }];
  if (Array.isArray(value)) return value.flatMap((item, index) => secretsIn(item as SpecValue, [...path, index]));
  return isSpecObject(value) ? Object.entries(value).flatMap(([key, item]) => secretsIn(item, [...path, key])) : [];
}

/** A secret that could be held against nothing is not taken as applied. */
function withoutUnverified(spec: SpecObject, unverified: readonly string[], path: Path): SpecObject {
  if (unverified.length === 0) return spec;
  const kept = Object.entries(spec).filter(([name]) => !isAtOrBelow(pointerOf([...path, name]), unverified));
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      isSpecObject(value) ? withoutUnverified(value, unverified, [...path, name]) : value,
    ]),
  );
}
