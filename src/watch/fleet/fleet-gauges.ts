import { fleetConditions } from '../../render/status/fleet/fleet-row.ts';
import { countConditions, fleetRows } from '../../render/status/fleet/fleet-rows.ts';
import type { FleetStatus } from '../../model/status/fleet-status.ts';
import type { Metric } from '../status/exposition.ts';

/** The gauges of a fleet, beside those of its stacks. */
export function fleetGauges(fleet: FleetStatus): readonly Metric[] {
  const counts = new Map(countConditions(fleetRows(fleet)));
  return [
    {
      name: 'sluice_fleet_stacks',
      help: 'Stacks of the fleet, by condition; `action-required`: a user must resolve the problem.',
      type: 'gauge',
      samples: fleetConditions.map((condition) => ({ labels: { condition }, value: counts.get(condition) ?? 0 })),
    },
    {
      name: 'sluice_fleet_stack_failed',
      help: '1 if a stack of the fleet cannot be watched, for example because its sluice.yaml has errors.',
      type: 'gauge',
      samples: fleet.stacks.map(({ path, failure }) => ({ labels: { path }, value: Number(failure !== undefined) })),
    },
    {
      name: 'sluice_fleet_last_search_timestamp_seconds',
      help: 'Time of the last successful search for stacks in the directory of the fleet.',
      type: 'gauge',
      samples: fleet.lastSearch === undefined ? [] : [{ value: fleet.lastSearch / 1000 }],
    },
  ];
}
