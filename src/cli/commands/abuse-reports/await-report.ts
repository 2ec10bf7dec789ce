import type { JsonObject } from '../../../model/json-object.ts';
import { hasSlept, type Clock } from '../../../api/clock.ts';
import { counted } from '../../../diagnostics/counted.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';

/** Options of waiting for a report. */
export interface AwaitOptions {
  readonly read: () => Promise<JsonObject>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly timeoutMs: number;
  readonly onProgress: (text: string) => void;
}

const firstPauseMs = 2_000;
const longestPauseMs = 60_000;

/** Polls a report with increasing pauses until it is processed, the time is up, or it cannot be read. */
export async function awaitReport(
  first: JsonObject,
  { read, clock, signal, timeoutMs, onProgress }: AwaitOptions,
): Promise<{ readonly report: JsonObject; readonly trouble?: SluiceError }> {
  const until = clock.now() + timeoutMs;
  let report = first;
  let reported = '';
  for (let pause = firstPauseMs; !isProcessed(report); pause = Math.min(longestPauseMs, pause * 1.5)) {
    if (reported !== stateOf(report)) onProgress((reported = stateOf(report)));
    const left = until - clock.now();
    if (left <= 0 || !(await hasSlept(clock, Math.min(pause, left), signal))) return { report };
    try {
      report = await read();
    } catch (error) {
      if (error instanceof SluiceError) return { report, trouble: error };
      throw error;
    }
  }
  return { report };
}

/** Whether a report is completely processed. */
export function isProcessed({ status }: JsonObject): boolean {
  return status === 'PROCESSED';
}

function stateOf({ status, hostnames }: JsonObject): string {
  const all: readonly unknown[] = Array.isArray(hostnames) ? hostnames : [];
  const open = all.filter((item) => ((item ?? {}) as JsonObject)['status'] === 'PENDING').length;
  const state = typeof status === 'string' ? safeText(status, 60) : 'the status of the report is unknown';
  return `${state}: ${all.length - open} of ${counted(all.length, 'hostname')} processed`;
}
