import { isLasting } from '../../../model/stuck-failure.ts';
import type { WatchFailure, WatchStatus } from '../../../model/watch-status.ts';
import { dueElement } from '../../text/ages.ts';
import { html, type Html } from '../../text/html.ts';

/** When something that failed is tried again: never before an apply that runs has ended. */
export function nextAttempt(at: number | undefined, { now, applying }: Pick<WatchStatus, 'now' | 'applying'>): Html {
  if (applying !== undefined) return html`after this apply`;
  return at === undefined ? html`now` : dueElement(at, now);
}

/** When what failed is tried again, and whether that can help: the one truth about it, wherever it is said. */
export function retryText(failure: WatchFailure, status: Pick<WatchStatus, 'now' | 'applying'>): Html {
  const at = nextAttempt(failure.nextAttempt, status);
  return isLasting(failure)
    ? html`Action required: each attempt fails the same way until the cause is corrected. Next attempt ${at}.`
    : html`sluice tries again by itself, ${at}.`;
}
