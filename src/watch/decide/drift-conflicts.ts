/*
 * Two controllers that disagree about a field put it back in turn, for days, and each sees drift every time. A field
 * that was put right so many times within the window and has drifted once more is a fight: it is left to the other
 * one, and both values are told, until the other gives in or the manifest is touched.
 */
import type { Address } from '../../model/address.ts';

/** Times a field was put right, and whether that has come to a fight. Times are milliseconds since 1970. */
export interface DriftRepair {
  readonly at: readonly number[];
  /** Since when it is left alone. */
  readonly foughtSince?: number;
  /** Stands for what the manifests wanted of the resource when the fight began. */
  readonly wanted?: string;
}

/** What was put right lately, by address and then by pointer into spec; `''` is the whole resource. */
export type DriftRepairs = Readonly<Record<Address, Readonly<Record<string, DriftRepair>>>>;

/** What is seen of drift at one moment. */
export interface ObservedDrift {
  readonly drifted: ReadonlyMap<Address, ReadonlySet<string>>;
  /** Stands for what the manifests want of an address now. */
  readonly wantedOf: (address: Address) => string | undefined;
  readonly now: number;
  readonly windowMs: number;
}

/** How often a field is put right within the window before it is left alone. */
export const MAX_REPAIRS = 3;

/** Whether drift of a field is left alone. */
export function isInConflict(healings: DriftRepairs, address: Address, pointer: string): boolean {
  return healings[address]?.[pointer]?.foughtSince !== undefined;
}

/** Takes note of what has drifted now: a field that was put right too often becomes a fight, one that is as it should be again is none any more. */
export function recordDrift(healings: DriftRepairs, { drifted, wantedOf, now, windowMs }: ObservedDrift): DriftRepairs {
  return mapped(healings, (address, pointer, { at, foughtSince, wanted = wantedOf(address) }) => {
    // Somebody has touched the manifest, and that is a new word.
    if (foughtSince !== undefined && wanted !== wantedOf(address)) return undefined;
    const recent = at.filter((time) => now - time <= windowMs);
    const isDrifted = drifted.get(address)?.has(pointer) === true;
    if (isDrifted && (foughtSince !== undefined || recent.length >= MAX_REPAIRS))
      return {
        at: at.slice(-MAX_REPAIRS),
        foughtSince: foughtSince ?? now,
        ...(wanted === undefined ? {} : { wanted }),
      };
    return recent.length === 0 ? undefined : { at: recent };
  });
}

/** Takes note of fields that have just been put right. */
export function recordRepairs(
  healings: DriftRepairs,
  address: Address,
  pointers: Iterable<string>,
  now: number,
): DriftRepairs {
  const own = { ...healings[address] };
  for (const pointer of pointers) own[pointer] = { at: [...(own[pointer]?.at ?? []), now].slice(-10) };
  return Object.keys(own).length === 0 ? healings : { ...healings, [address]: own };
}

function mapped(
  healings: DriftRepairs,
  change: (address: Address, pointer: string, healing: DriftRepair) => DriftRepair | undefined,
): DriftRepairs {
  return Object.fromEntries(
    Object.entries(healings).flatMap(([address, own]) => {
      const kept = Object.entries(own).flatMap(([pointer, healing]): [string, DriftRepair][] => {
        const next = change(address, pointer, healing);
        return next === undefined ? [] : [[pointer, next]];
      });
      return kept.length === 0 ? [] : [[address, Object.fromEntries(kept)]];
    }),
  );
}
