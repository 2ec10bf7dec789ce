import { secondsIn } from '../../derive/duration.ts';
import type { StackFile } from '../../manifest/stack-file/stack-file.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { unsafeTiming, type LeaseTiming } from '../../state/lease/lease-timing.ts';

/** The durations of the lock that a stack file sets. */
export function leaseTiming({ lease }: Pick<StackFile['settings']['state'], 'lease'>): LeaseTiming {
  return {
    durationMs: milliseconds(lease.duration),
    heartbeatMs: milliseconds(lease.heartbeat),
    storeDeadlineMs: milliseconds(lease.store_deadline),
    writeDeadlineMs: milliseconds(lease.write_deadline),
    marginMs: milliseconds(lease.margin),
  };
}

/** What makes the durations of a stack file unsafe, if anything. */
export function unsafeLease({ settings, placeOf }: Pick<StackFile, 'settings' | 'placeOf'>): readonly Diagnostic[] {
  const problem = unsafeTiming(leaseTiming(settings.state));
  if (problem === undefined) return [];
  return [
    {
      code: 'INVALID_SETTING',
      severity: 'error',
      message: `state.lease is unsafe: ${problem}`,
      place: placeOf(['state', 'lease']),
    },
  ];
}

/** A duration of `sluice.yaml`, in milliseconds. */
export function milliseconds(duration: string): number {
  return (secondsIn(duration) ?? 0) * 1000;
}
