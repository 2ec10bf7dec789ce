import { fleetConditions } from '../../render/status/fleet/fleet-row.ts';
import { countConditions, fleetRows } from '../../render/status/fleet/fleet-rows.ts';
import type { FleetStatus } from '../../model/status/fleet-status.ts';
import { gauge, type Metric } from '../status/exposition.ts';

/** The gauges of a fleet, beside those of its stacks. */
export function fleetGauges(fleet: FleetStatus): readonly Metric[] {
  const counts = new Map(countConditions(fleetRows(fleet)));
  return [
    gauge(
      'sluice_fleet_stacks',
      'Stacks of the fleet, by condition; `action-required`: a user must resolve the problem.',
      fleetConditions.map((condition) => ({ labels: { condition }, value: counts.get(condition) ?? 0 })),
    ),
    gauge(
      'sluice_fleet_stack_failed',
      '1 if a stack of the fleet cannot be watched, for example because its sluice.yaml has errors.',
      fleet.stacks.map(({ path, failure }) => ({ labels: { path }, value: Number(failure !== undefined) })),
    ),
    gauge(
      'sluice_fleet_last_search_timestamp_seconds',
      'Time of the last successful search for stacks in the directory of the fleet.',
      fleet.lastSearch && fleet.lastSearch / 1000,
    ),
  ];
}
