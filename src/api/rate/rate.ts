/** So many requests in so much time. */
export interface Rate {
  readonly requests: number;
  readonly perMs: number;
}

/** Reads a rate such as `120/60s`; undefined when the text is none. */
export function parseRate(text: string): Rate | undefined {
  const parts = /^([1-9]\d{0,6})\/([1-9]\d{0,5})(ms|s|m|h)$/.exec(text);
  if (parts === null) return undefined;
  const unit = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[parts[3] as 'ms' | 's' | 'm' | 'h'];
  return { requests: Number(parts[1]), perMs: Number(parts[2]) * unit };
}

/** What a 429 was found to mean: a gap between requests, a limit of requests in flight, or a share refused by chance. */
export type RateFinding = { readonly gapMs: number } | { readonly atOnce: number } | { readonly share: number };
