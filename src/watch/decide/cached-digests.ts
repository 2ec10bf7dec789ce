/** Digests that are slow to make, kept while they are asked for: a watch lives for months, and secrets are rotated. */
export interface CachedDigests {
  readonly of: (text: string) => string;
  /** Begins another turn: what nobody asked for in the last one is forgotten. */
  readonly nextTurn: () => void;
}

/** Remembers what a way of digesting answers, from one turn to the next. */
export function cachedDigests(digest: (text: string) => string): CachedDigests {
  let before = new Map<string, string>();
  let now = new Map<string, string>();
  return {
    of: (text) => {
      const found = now.get(text) ?? before.get(text) ?? digest(text);
      now.set(text, found);
      return found;
    },
    nextTurn: () => {
      before = now;
      now = new Map();
    },
  };
}
