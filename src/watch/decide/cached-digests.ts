/** Caches slow digests between reconciliations. `nextRound` drops those that the last one did not use: a watch runs for months, and secrets are rotated. */
export function cachedDigests(digest: (text: string) => string): {
  readonly of: (text: string) => string;
  readonly nextRound: () => void;
} {
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
