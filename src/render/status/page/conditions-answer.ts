import type { Condition, WatchStatus } from '../../../model/status/watch-status.ts';
import { html, prose, spanElement, timeElement, type Html } from '../../text/html.ts';
import type { Tone } from '../status-causes.ts';

/** The conditions of a stack; on a standby, first what the leader has recorded. */
export function conditionsAnswer(status: WatchStatus): Html {
  const { conditions, now, lastRefresh, role, leaderRecorded } = status;
  return html`${
      leaderRecorded !== undefined &&
      html`<p class="quiet">As last recorded by the leader:</p>
        <ul class="conditions">
          ${conditionItem(leaderRecorded.ready, recordedText(leaderRecorded.ready, now))}
        </ul>
        <p class="quiet">Of this replica:</p>`
    }
    <ul class="conditions">
      ${conditions.map((one) => conditionItem(one, sinceText(one, status)))}
    </ul>
    ${
      role === 'paused' &&
      lastRefresh !== undefined &&
      html`<p class="quiet">As of the last refresh, ${timeElement(lastRefresh, now)}.</p>`
    }`;
}

function conditionItem(one: Condition, since: Html | undefined): Html {
  return html`<li>
    <p>
      <b class="cond ${conditionTone(one)}">${one.type}: ${one.status}</b> <span class="reason">${one.reason}</span>
    </p>
    ${one.message !== '' && html`<p class="quiet">${prose(one.message)}</p>`}
    ${since !== undefined && html`<p class="quiet">${since}</p>`}
  </li>`;
}

/** When the stack was last ready, and since when it is stalled. Whatever else began stands beside its own time. */
function sinceText({ type, status, since }: Condition, { now, lastSuccess, role }: WatchStatus): Html | undefined {
  if (type === 'Stalled' && status === 'True') return html`Stalled for ${spanElement(since, now)}.`;
  if (type !== 'Ready' || status === 'True' || role === 'standby') return undefined;
  return lastSuccess === undefined
    ? html`Not ready since this process started.`
    : html`Last ready ${timeElement(lastSuccess, now)}.`;
}

/** The condition that the leader has recorded: of that, only the time of its status is known. */
function recordedText({ status, since }: Condition, now: number): Html | undefined {
  return status === 'True' ? undefined : html`Not ready for ${spanElement(since, now)}.`;
}

const wrong = new Set(['InvalidManifests', 'PlanError', 'ReconciliationFailed', 'ChangeRefused', 'ActionRequired']);

/** The tone of a condition: `bad` only where something is wrong, `asks` where it is as intended and waits for a person. */
export function conditionTone({ type, status, reason }: Condition): Tone {
  if (status === 'Unknown') return reason === 'Standby' ? 'quiet' : 'busy';
  const isUsual = (type === 'Ready') === (status === 'True');
  if (type === 'Reconciling') return status === 'True' ? 'busy' : 'quiet';
  if (isUsual) return type === 'Ready' ? 'well' : 'quiet';
  return wrong.has(reason) ? 'bad' : 'asks';
}
