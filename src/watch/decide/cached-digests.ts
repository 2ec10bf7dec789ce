/** A cache of slow digests: entries are dropped when unused, since a watch runs for months and secrets are rotated. */
export interface CachedDigests {
  readonly of: (text: string) => string;
  /** Starts another reconciliation: entries that the last one did not use are dropped. */
  readonly nextRound: () => void;
}

/** Caches the results of a digest function between reconciliations. */
export function cachedDigests(digest: (text: string) => string): CachedDigests {
  let before = new Map<string, string>();
  let now = new Map<string, string>();
  return {
    of: (text) => {
      const found = now.get(text) ?? before.get(text) ?? digest(text);
      now.set(text, found);
      return found;
    },
    nextRound: () => {
      before = now;
      now = new Map();
    },
  };
}
