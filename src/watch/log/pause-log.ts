import type { WatchStatus } from '../../model/status/watch-status.ts';
import type { Ports } from '../ports.ts';

/** Logs that an operator has paused the watch, until when and why. */
export function logPause(log: Ports['log'], { until, reason, by }: NonNullable<WatchStatus['pause']>): void {
  log(
    'info',
    'paused',
    `paused until ${until === undefined ? 'it is resumed' : new Date(until).toISOString()}${reason === undefined ? '' : `: ${reason}`}`,
    by === undefined ? {} : { by },
  );
}
