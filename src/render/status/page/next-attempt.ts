import { isLasting } from '../../../model/status/stuck-failure.ts';
import type { WatchFailure, WatchStatus } from '../../../model/status/watch-status.ts';
import { anyMoment } from '../../text/ages.ts';
import { dueElement, html, type Html } from '../../text/html.ts';

/** When something that failed is tried again: never before an apply that runs, or a pause, has ended. */
export function nextAttempt(at: number | undefined, { now, applying, role }: WatchStatus): Html {
  if (applying !== undefined) return html`after this apply`;
  if (role === 'paused') return html`once the pause ends`;
  return at === undefined ? html`${anyMoment}` : dueElement(at, now);
}

/** Whether a failed change is retried, and whether that can help. The time is shown once: under Activity. */
export function retryText(failure: WatchFailure): string {
  return isLasting(failure)
    ? 'Action required: each attempt fails until the cause is corrected.'
    : 'sluice retries automatically.';
}
