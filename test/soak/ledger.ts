/** The writer's own record of which revision stood in the directory when; what watch believes has no part in it. */
export interface Ledger {
  /** A good revision stands from now on, or since a moment ago, and lets whoever reads it delete what it lacks. */
  readonly stands: (addresses: Iterable<string>, since?: number) => void;
  /** From now on nothing stands that lets anybody delete anything. */
  readonly broken: () => void;
  /** How long ago, in milliseconds, a good revision without an address last stood; undefined: none ever did. */
  readonly lackedUntil: (address: string, at: number) => number | undefined;
  readonly revisions: () => number;
}

/** A record that begins with nothing standing. */
export function newLedger(now: () => number = Date.now): Ledger {
  const periods: { readonly from: number; until: number; readonly has: ReadonlySet<string> }[] = [];
  const broken = (): void => {
    const last = periods.at(-1);
    if (last !== undefined) last.until = Math.min(last.until, now());
  };
  return {
    broken,
    stands: (addresses, since = now()) => {
      broken();
      periods.push({ from: since, until: Number.POSITIVE_INFINITY, has: new Set(addresses) });
    },
    lackedUntil: (address, at) => {
      const last = periods.findLast(({ from, has }) => from <= at && !has.has(address));
      return last === undefined ? undefined : Math.max(0, at - last.until);
    },
    revisions: () => periods.length,
  };
}
