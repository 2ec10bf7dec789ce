import type { Condition, WatchStatus } from '../../../model/watch-status.ts';
import { spanElement, timeElement } from '../../text/ages.ts';
import { html, prose, type Html } from '../../text/html.ts';
import { conditionTone } from './condition-tone.ts';

/** The conditions of a stack; on a standby, first what the leader has recorded. */
export function conditionsAnswer({
  conditions,
  now,
  lastSuccess,
  lastRefresh,
  role,
  leaderRecorded,
}: WatchStatus): Html {
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  return html`${
      leaderRecorded === undefined
        ? undefined
        : html`<p class="quiet">As last recorded by the leader:</p>
            <ul class="conditions">
              ${conditionItem(leaderRecorded.ready, now)}
            </ul>
            <p class="quiet">Of this replica:</p>`
    }
    <ul class="conditions">
      ${conditions.map((one) => conditionItem(one, now))}
    </ul>
    ${seenText()}`;

  /** When the conditions were found, or were last as they should be. */
  function seenText(): Html | undefined {
    if (role === 'paused' && lastRefresh !== undefined)
      return html`<p class="quiet">As of the last refresh, ${timeElement(lastRefresh, now)}.</p>`;
    if (isReady || role === 'standby') return undefined;
    return html`<p class="quiet">
      ${lastSuccess === undefined ? 'Not in sync since this process started.' : html`Last in sync ${timeElement(lastSuccess, now)}.`}
    </p>`;
  }
}

function conditionItem(one: Condition, now: number): Html {
  return html`<li>
    <p>
      <b class="cond ${conditionTone(one)}">${one.type}: ${one.status}</b>
      ${conditionTone(one) === 'quiet' ? undefined : html`<span class="quiet">for ${spanElement(one.since, now)}</span> `}<span
        class="reason"
        >${one.reason}</span
      >
    </p>
    ${one.message === '' ? undefined : html`<p class="quiet">${prose(one.message)}</p>`}
  </li>`;
}
