import { isDeepStrictEqual } from 'node:util';
import { placeText } from '../diagnostics/diagnostic.ts';
import { maskRecorded } from '../derive/external/mask-outside.ts';
import { isAtOrBelow, pointerNames, pointerOf } from '../derive/pointer.ts';
import { filledInLimits } from '../derive/stored/filled-in-limits.ts';
import { rewrittenTexts } from '../derive/stored/rewritten-texts.ts';
import { toState } from '../derive/stored/to-state.ts';
import type { Kind } from '../kinds/kind.ts';
import { leavesOf, someInside } from '../kinds/leaves.ts';
import { isSpecObject, Secret, type Path, type SpecObject, type SpecValue } from '../kinds/value.ts';
import { isSameJson } from '../model/json-object.ts';
import type { Change } from '../model/plan/plan.ts';
import { recordedSpec } from './recorded-spec.ts';
import type { Entry, FilledIn, UnclearedText } from '../model/state.ts';

/** What is known about a resource after a request for it was answered. */
export interface Applied {
  readonly change: Change;
  readonly kind: Kind;
  readonly id: string;
  readonly parent: string | undefined;
  /** The desired spec with ids in place, as far as it has been written. */
  readonly spec: SpecObject;
  readonly nonce: string | undefined;
  /** The spec as the answers of the service show it, if there were any. */
  readonly shown: SpecObject | undefined;
  readonly previous: Entry | undefined;
  /** Ids of old instances that are still to be deleted. */
  readonly deposed: readonly string[];
  /** What requests of this run have written, by field. */
  readonly sent: SpecObject;
  /** Texts that the service did not clear, by pointer. */
  readonly uncleared: Readonly<Record<string, string>>;
}

/** The entry of a resource in state. */
export function entryOf(
  { change, kind, id, parent, spec, nonce, shown, previous, deposed, sent, uncleared }: Applied,
  digest: (text: string) => string,
): Entry {
  const known = withoutUnverified(spec, change.unverified, []);
  const { returnedSecrets, ...otherwise } = shownOtherwise({ kind, spec, sent, shown, previous }, digest);
  const kept = { ...stillUncleared(previous, change), ...newlyUncleared(uncleared, kind, previous, digest) };
  const mark = change.marker === undefined ? undefined : change.marker.n === '' ? nonce : change.marker.n;
  // The service reports that the old instance is deleted. If it appears again, its nonce shows that it belongs to this stack.
  const replaced = previous?.nonce !== undefined && previous.id !== id ? [previous.nonce] : [];
  const defined = change.manifestPlace ?? change.place;
  const former = [...new Set([...(previous?.formerNonces ?? []), ...replaced])];
  return {
    kind: kind.name,
    id,
    ...(parent === undefined ? {} : { parent }),
    spec: recordedSpec(toState(kind.fields, known, digest), {
      fields: kind.fields,
      unmanaged: change.unmanagedFields,
      sent: () => toState(kind.fields, sent, digest),
      before: previous?.spec,
    }),
    protect: change.protect,
    retain: change.retain,
    ...(mark === undefined ? {} : { nonce: mark }),
    ...(former.length === 0 ? {} : { formerNonces: former }),
    ...(previous?.formerAddresses === undefined ? {} : { formerAddresses: previous.formerAddresses }),
    ...(deposed.length === 0 ? {} : { deposed }),
    ...(defined === undefined ? {} : { source: placeText(defined) }),
    ...(returnedSecrets === undefined ? {} : { returnedSecrets }),
    ...(change.unverified.length === 0 ? {} : { unverifiedSecrets: change.unverified }),
    ...otherwise,
    ...(Object.keys(kept).length === 0 ? {} : { unclearedFields: kept }),
  };
}

// What is in the entry of a resource with nothing to carry over, in this order.
const usualNames = ['kind', 'id', 'parent', 'spec', 'protect', 'retain', 'nonce', 'source'];

/** Whether the entry of a resource to which nothing was sent says all that one made now would say. So do nearly all, and making one takes much longer. */
export function isRecorded(
  entry: Entry,
  { change, kind, id, parent, spec }: Pick<Applied, 'change' | 'kind' | 'id' | 'parent' | 'spec'>,
  digest: (text: string) => string,
): boolean {
  let at = 0;
  for (const name in entry) {
    at = usualNames.indexOf(name, at) + 1;
    if (at === 0) return false;
  }
  const defined = change.manifestPlace ?? change.place;
  return (
    entry.id === id &&
    entry.kind === kind.name &&
    entry.parent === parent &&
    entry.protect === change.protect &&
    entry.retain === change.retain &&
    entry.nonce === change.marker?.n &&
    entry.source === (defined && placeText(defined)) &&
    change.unverified.length === 0 &&
    isSameJson(toState(kind.fields, spec, digest), entry.spec)
  );
}

/** What the service shows otherwise than it was sent: by this answer, and otherwise as known before. */
export function shownOtherwise(
  { kind, spec, sent, shown, previous }: Pick<Applied, 'kind' | 'spec' | 'sent' | 'shown' | 'previous'>,
  digest: (text: string) => string,
): Pick<Entry, 'returnedSecrets' | 'rewrittenTexts' | 'filledIn'> {
  // Only sent fields are compared with the answer: others may differ for any other reason.
  const written = Object.fromEntries(Object.entries(spec).filter(([name]) => Object.hasOwn(sent, name)));
  const returned = { ...previous?.returnedSecrets, ...secretsReturned(spec, shown, digest) };
  const rewritten = rewrittenNow(previous, kind, written, shown, digest);
  const filledIn = filledInNow(previous, kind, spec, written, shown);
  return {
    ...(Object.keys(returned).length === 0 ? {} : { returnedSecrets: returned }),
    ...(Object.keys(rewritten).length === 0 ? {} : { rewrittenTexts: rewritten }),
    ...(Object.keys(filledIn).length === 0 ? {} : { filledIn }),
  };
}

/** Texts that the service returns in another form than they were sent: those known before, updated by this answer. */
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

/** Limits that the service has filled in: by this answer in what was sent, and otherwise as known before. */
function filledInNow(
  previous: Entry | undefined,
  kind: Kind,
  spec: SpecObject,
  written: SpecObject,
  shown: SpecObject | undefined,
): FilledIn {
  const isKept = (pointer: string): boolean => {
    const [module = ''] = pointerNames(pointer);
    return isSpecObject(spec[module]) && (shown === undefined || !Object.hasOwn(written, module));
  };
  const known = Object.entries(previous?.filledIn ?? {}).filter(([pointer]) => isKept(pointer));
  const now = shown === undefined ? {} : filledInLimits(kind.fields, written, shown, previous?.spec ?? {});
  return { ...Object.fromEntries(known), ...now };
}

/** Whether the only difference between two entries is the line of the manifest. */
export function isMoveOnly(previous: Entry | undefined, entry: Entry): boolean {
  if (previous === undefined || previous.source === entry.source) return false;
  return isDeepStrictEqual({ ...previous, source: '' }, { ...entry, source: '' });
}

/** Texts that the service did not clear before, and that the plan leaves unmanaged again. */
function stillUncleared(
  previous: Entry | undefined,
  { unmanagedFields }: Change,
): Readonly<Record<string, UnclearedText>> {
  return Object.fromEntries(
    Object.entries(previous?.unclearedFields ?? {}).filter(([pointer]) => Object.hasOwn(unmanagedFields, pointer)),
  );
}

/** Texts that the service did not clear in this run; an external value is stored as its digest. */
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

/** Digests of secrets that the service returned in another form than they were sent: its way of hiding them (decisions/0035). */
function secretsReturned(
  spec: SpecObject,
  shown: SpecObject | undefined,
  digest: (text: string) => string,
): Record<string, string> {
  const answered = secretsIn(shown ?? null);
  if (answered.length === 0) return {};
  const written = new Map(secretsIn(spec).map(({ pointer, text }) => [pointer, text]));
  const other = answered.filter(({ pointer, text }) => written.has(pointer) && written.get(pointer) !== text);
  return Object.fromEntries(other.map(({ pointer, text }) => [pointer, digest(text)]));
}

/** Every secret in a spec, with its pointer. */
export function secretsIn(value: SpecValue): { readonly pointer: string; readonly text: string }[] {
  // Most specs have none, and places cost more than secrets.
  if (!someInside(value, (inner) => inner instanceof Secret)) return [];
  return leavesOf(value).flatMap(({ value: leaf, path }) =>
    leaf instanceof Secret ? [{ pointer: pointerOf(path), text: leaf.reveal() }] : [],
  );
}

/** Removes secrets that could not be compared with anything: they do not count as applied. */
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
