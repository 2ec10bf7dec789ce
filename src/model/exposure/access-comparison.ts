import type { Audience } from './exposed-urls.ts';

/** What a change does for whoever uses a URL or an address, in the order in which a reviewer asks. */
export const accessEffects = ['public', 'opened', 'changed', 'new', 'restricted', 'gone', 'unchanged'] as const;

/** One of them. */
export type AccessEffect = (typeof accessEffects)[number];

/** Who can reach URLs or addresses now, and who can after a change; both in full. */
export interface ComparedAccess {
  readonly effect: AccessEffect;
  /** The first of them; `…` at the end stands for all paths that begin so. */
  readonly urls: readonly string[];
  readonly total: number;
  readonly now: AccessSide;
  readonly after: AccessSide;
}

/** Who can reach something at one time. `outside`: what is served there decides, and not this stack. */
export interface AccessSide {
  readonly audience: Audience | 'outside';
  /** In words. */
  readonly who: string;
}

/** What becomes of everything that changes concern, and how many URLs are in rows that are left out. */
export interface AccessComparison {
  readonly rows: readonly ComparedAccess[];
  readonly omitted: number;
}
