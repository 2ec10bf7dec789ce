import type { FleetStatus } from '../../../model/fleet-status.ts';
import type { FleetJson } from './fleet-json-schema.ts';
import {
  countConditions,
  fleetGroups,
  fleetQuery,
  fleetRows,
  groupText,
  selectRows,
  type FleetRow,
} from './fleet-rows.ts';
import { stackUrl } from '../stack-url.ts';
import { activityJson, revisionJson, rfc3339, type Loose } from '../status-json.ts';

/** The status of a fleet as a value for JSON, with the stacks that a query asks for. */
export function fleetJson(fleet: FleetStatus, search = ''): Loose<FleetJson> {
  const rows = fleetRows(fleet);
  return {
    format_version: '1.0',
    version: fleet.version,
    time: rfc3339(fleet.now),
    start_time: rfc3339(fleet.startedAt),
    search_failure: fleet.searchFailure,
    summary: Object.fromEntries(countConditions(rows)),
    causes: fleetGroups(rows).map(({ cause, rows: own }) => ({
      cause,
      count: own.length,
      summary: groupText(own.length, cause),
    })),
    stacks: selectRows(rows, fleetQuery(search)).map(rowJson),
  };
}

function rowJson(row: FleetRow): Loose<FleetJson['stacks'][number]> {
  const { path, status, condition, cause, headline, detail, pending, drifted, lastRun, failure, elsewhere } = row;
  return {
    path,
    stack: status === undefined ? undefined : { name: status.stack.name, id: status.stack.id },
    condition,
    cause,
    summary: headline,
    detail,
    activity: activityJson(row.activity),
    role: status?.role,
    observed_revision: revisionJson(status?.observed),
    applied_revision: revisionJson(status?.applied),
    pending_total: pending,
    drifted_total: drifted,
    last_run:
      lastRun === undefined
        ? undefined
        : { time: rfc3339(lastRun.at), outcome: lastRun.isDone ? ('done' as const) : ('incomplete' as const) },
    failure: failure === undefined ? undefined : { code: failure.code, message: failure.message, hint: failure.hint },
    elsewhere,
    status: `${stackUrl(path)}status.json`,
  };
}
