import type { JsonObject } from '../../../model/json-object.ts';
import { hasSlept } from '../../../api/clock.ts';
import { counted } from '../../../diagnostics/counted.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Service } from '../../../stack/service/open-service.ts';
import type { Context } from '../../context.ts';

const firstPauseMs = 2_000;
const longestPauseMs = 60_000;

/** Polls a report with increasing pauses until it is processed, the time in seconds is up, or it cannot be read. */
export async function awaitReport(
  { io: { signal }, log }: Context,
  { reader, clock }: Service,
  { path, first, seconds }: { readonly path: string; readonly first: JsonObject; readonly seconds: number },
): Promise<{ readonly report: JsonObject; readonly trouble?: SluiceError }> {
  const until = clock.now() + seconds * 1000;
  let report = first;
  let reported = '';
  for (let pause = firstPauseMs; !isProcessed(report); pause = Math.min(longestPauseMs, pause * 1.5)) {
    if (reported !== stateOf(report)) log('info', (reported = stateOf(report)));
    const left = until - clock.now();
    if (left <= 0 || !(await hasSlept(clock, Math.min(pause, left), signal))) return { report };
    try {
      report = await reader.get(path);
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
