import { compareText } from '../../model/compare-text.ts';
import type { HazardEffect } from '../../model/plan/plan.ts';
import { distinctUrls } from './class-url.ts';

/** What a change does to the access to one URL. */
export interface UrlEffect extends Omit<HazardEffect, 'urls'> {
  readonly url: string;
}

/** What the findings of a hazard do, worked out on first use: only what compares plans needs it. The findings are let go of then. */
export function hazardEffects<Finding>(
  findings: readonly Finding[],
  effectOf: (one: Finding) => UrlEffect,
): () => readonly HazardEffect[] {
  let open: readonly Finding[] | undefined = findings;
  let effects: readonly HazardEffect[] = [];
  return () => {
    if (open !== undefined) effects = alikeTogether(open.map(effectOf));
    open = undefined;
    return effects;
  };
}

/** One effect for all URLs to which a change does the same. */
function alikeTogether(all: readonly UrlEffect[]): HazardEffect[] {
  const found = new Map<string, Omit<UrlEffect, 'url'> & { readonly urls: string[] }>();
  for (const { url, ...one } of all) {
    const key = [one.cause, one.before, one.after].join('\n');
    const effect = found.get(key) ?? { ...one, urls: [] };
    effect.urls.push(url);
    found.set(key, effect);
  }
  return [...found]
    .sort(([a], [b]) => compareText(a, b))
    .map(([, { urls, ...effect }]) => ({ ...effect, urls: distinctUrls(urls) }));
}
