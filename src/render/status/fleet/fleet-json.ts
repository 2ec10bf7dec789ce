import { approvalObstacle } from '../../../model/status/approval-obstacle.ts';
import type { FleetStatus } from '../../../model/status/fleet-status.ts';
import type { FleetJson } from './fleet-json-schema.ts';
import type { FleetRow } from './fleet-row.ts';
import {
  countConditions,
  fleetGroups,
  fleetHeadline,
  fleetQuery,
  fleetRows,
  groupText,
  selectRows,
} from './fleet-rows.ts';
import { stackUrl } from '../stack-url.ts';
import { activityJson, optionalMoment, revisionJson, rfc3339, type Loose } from '../status-json.ts';

/** The status of a fleet as a value for JSON, with the stacks that a query asks for. */
export function fleetJson(fleet: FleetStatus, search = ''): Loose<FleetJson> {
  const rows = fleetRows(fleet);
  const { headline, detail } = fleetHeadline(rows);
  return {
    format_version: '1.0',
    version: fleet.version,
    time: rfc3339(fleet.now),
    start_time: rfc3339(fleet.startedAt),
    search_failure: fleet.searchFailure,
    headline: detail === undefined ? headline : `${headline}: ${detail}`,
    summary: Object.fromEntries(countConditions(rows)),
    causes: fleetGroups(rows).map(({ cause, rows: own }) => ({
      cause,
      count: own.length,
      summary: groupText(own.length, cause),
    })),
    stacks: selectRows(rows, fleetQuery(search)).map(rowJson),
  };
}

// Further ones are in the status of the stack.
const mostNamed = 10;

function rowJson(row: FleetRow): Loose<FleetJson['stacks'][number]> {
  const { path, status, condition, cause, headline, detail, pending, drifted, lastRun, failure, elsewhere } = row;
  const { asked, concerned, since } = row;
  const ready = status?.conditions.find(({ type }) => type === 'Ready');
  return {
    path,
    stack: status && { name: status.stack.name, id: status.stack.id },
    condition,
    cause,
    summary: headline,
    detail,
    action_required: asked.map(({ count, text }) => ({ count, summary: text })),
    resources: concerned.slice(0, mostNamed),
    resources_total: concerned.length,
    since: optionalMoment(since),
    approval_obstacle: status?.awaited && approvalObstacle(status),
    activity: activityJson(row.activity),
    role: status?.role,
    ready: ready && { status: ready.status, reason: ready.reason },
    failures_total: status?.failures.length ?? 0,
    observed_revision: revisionJson(status?.observed),
    applied_revision: revisionJson(status?.applied),
    pending_total: pending,
    drifted_total: drifted,
    last_run: lastRun && { time: rfc3339(lastRun.at), outcome: lastRun.isDone ? 'done' : 'incomplete' },
    failure: failure && { code: failure.code, message: failure.message, hint: failure.hint },
    elsewhere,
    status: `${stackUrl(path)}status.json`,
  };
}
