import type { WatchStatus } from '../../model/watch-status.ts';
import { dueElement } from '../text/ages.ts';
import { html, type Html } from '../text/html.ts';

/** When something that failed is tried again: never before an apply that runs has ended. */
export function nextAttempt(at: number | undefined, { now, applying }: Pick<WatchStatus, 'now' | 'applying'>): Html {
  if (applying !== undefined) return html`after this apply`;
  return at === undefined ? html`now` : dueElement(at, now);
}
