/*
 * Two controllers that disagree about a field revert each other for days, and each sees drift every time. A field that
 * was repaired so many times within the window and has drifted again is a drift conflict: sluice leaves it unchanged and
 * reports both values, until the drift ends or the manifest changes. Repairs of before a change of the manifest do not count.
 */
import type { Address } from '../../model/address.ts';
import { present } from '../../model/present.ts';

/** Times at which a field was repaired, and whether it is in conflict. Times are milliseconds since 1970. */
export interface DriftRepair {
  readonly at: readonly number[];
  /** The start of the conflict. */
  readonly conflictSince?: number;
  /** The desired hash of the resource at the last repair. */
  readonly wanted?: string;
}

/** Recent repairs, by address and then by pointer into spec; `''` is the whole resource. */
export type DriftRepairs = Readonly<Record<Address, Readonly<Record<string, DriftRepair>>>>;

/** The drift that one refresh has found. */
export interface ObservedDrift {
  readonly drifted: ReadonlyMap<Address, ReadonlySet<string>>;
  /** The current desired hash of an address. */
  readonly desiredHashOf: (address: Address) => string | undefined;
  readonly now: number;
  readonly windowMs: number;
}

/** How often a field is repaired within the window before it is a conflict. */
export const MAX_REPAIRS = 3;

/** Whether a field is in a drift conflict. */
export function isInConflict(repairs: DriftRepairs, address: Address, pointer: string): boolean {
  return repairs[address]?.[pointer]?.conflictSince !== undefined;
}

/** Records the current drift: a field that was repaired too often becomes a conflict; one without drift is a conflict no longer. */
export function recordDrift(
  repairs: DriftRepairs,
  { drifted, desiredHashOf, now, windowMs }: ObservedDrift,
): DriftRepairs {
  return Object.fromEntries(
    Object.entries(repairs).flatMap(([address, own]) => {
      const desired = desiredHashOf(address);
      const kept = Object.entries(own).flatMap(([pointer, repair]): [string, DriftRepair][] => {
        const { at, conflictSince, wanted = desired } = repair;
        const recent = at.filter((time) => Math.abs(now - time) <= windowMs);
        const isDrifted = drifted.get(address)?.has(pointer) === true;
        if (wanted !== desired) return [];
        if (isDrifted && (conflictSince !== undefined || recent.length >= MAX_REPAIRS))
          return [[pointer, present({ at: at.slice(-MAX_REPAIRS), conflictSince: conflictSince ?? now, wanted })]];
        return recent.length === 0 ? [] : [[pointer, present({ at: recent, wanted })]];
      });
      return kept.length === 0 ? [] : [[address, Object.fromEntries(kept)]];
    }),
  );
}

/** Records fields that have just been repaired, of a resource with this desired hash. */
export function recordRepairs(
  repairs: DriftRepairs,
  address: Address,
  pointers: Iterable<string>,
  { now, wanted }: { readonly now: number; readonly wanted: string | undefined },
): DriftRepairs {
  const own = { ...repairs[address] };
  for (const pointer of pointers) own[pointer] = present({ at: [...(own[pointer]?.at ?? []), now].slice(-10), wanted });
  return Object.keys(own).length === 0 ? repairs : { ...repairs, [address]: own };
}
