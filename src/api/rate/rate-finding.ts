/** What a 429 was found to mean: a gap between requests, a limit of requests in flight, or a share refused by chance. */
export type RateFinding = { readonly gapMs: number } | { readonly atOnce: number } | { readonly share: number };
