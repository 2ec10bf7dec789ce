import type { JsonObject } from '../../../api/answer.ts';
import type { Client } from '../../../api/client.ts';
import { ApiError, mayHaveHappened, NotAllowed } from '../../../api/errors.ts';
import { pathSegment } from '../../../derive/path-segment.ts';
import { counted } from '../../../diagnostics/counted.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { abuseReport } from '../../../kinds/views.ts';
import { errorText } from '../../../render/diagnostics/error-text.ts';
import type { Context } from '../../context.ts';
import { exitCodeOf, exitCodes } from '../../exit-code.ts';
import { openService, type Service } from '../../../stack/open-service.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { NoAbuseReports } from './access-denied.ts';
import { reportText } from './report-text.ts';
import { urlsToReport } from './urls-to-report.ts';
import { awaitReport, isProcessed } from './await-report.ts';

/** How long to stay. */
export interface WaitFlags {
  /** Until everything is judged. */
  readonly wait?: boolean;
  /** Seconds to wait at most. */
  readonly timeout: number;
}

/** What is reported beside the URLs. */
export interface AbuseReportFlags extends WaitFlags {
  readonly file?: readonly string[];
  readonly metadata?: string;
}

/** Reports URLs, once: a report whose answer was lost may have been filed, and cannot be looked up. */
export async function createReport(
  context: Context,
  args: readonly string[],
  flags: AbuseReportFlags,
): Promise<number> {
  const { file: files = [], metadata } = flags;
  const urls = await urlsToReport(context.io, args, files);
  if (metadata !== undefined) mustFit(metadata);
  const service = await openService(context, { command: 'abuse-reports create', writes: true });
  try {
    const report = await file(service.writer, { urls, ...(metadata === undefined ? {} : { metadata }) });
    if (report instanceof SluiceError) return tellUnknown(context, report);
    // Told at once, for there is no list to find it in again.
    context.log('info', `Reported ${counted(urls.length, 'URL')} as ${idOf(report)}`);
    return await showReport(context, service, report, flags);
  } finally {
    await service.close();
  }
}

function mustFit(metadata: string): void {
  const { metadata: field } = abuseReport.fields;
  const most = field?.is === 'leaf' ? (field.limit?.max ?? Infinity) : Infinity;
  const bytes = Buffer.byteLength(metadata);
  if (bytes > most) throw new UsageError(`--metadata holds ${bytes} bytes, and may hold ${most}`);
}

/** Shows a report and what became of its hostnames. */
export async function getReport(context: Context, id: string, flags: WaitFlags): Promise<number> {
  const service = await openService(context, { command: 'abuse-reports get', writes: false });
  try {
    const report = await service.reader.get(pathOf(id)).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw inPlainWords(error);
      throw new UsageError(
        `there is no abuse report ${JSON.stringify(id)}`,
        'reports cannot be listed: only its id leads to one',
      );
    });
    return await showReport(context, service, report, flags);
  } finally {
    await service.close();
  }
}

async function showReport(
  context: Context,
  { reader, clock }: Service,
  report: JsonObject,
  { wait, timeout }: WaitFlags,
): Promise<number> {
  const { signal } = context.io;
  const id = report['id'];
  const last =
    wait === true && typeof id === 'string' && id !== ''
      ? await awaitReport(report, {
          read: () => reader.get(pathOf(id)),
          clock,
          signal,
          patienceMs: timeout * 1000,
          onProgress: (text) => context.log('info', text),
        })
      : { report };
  context.result(
    () => reportText(last.report, context.palette),
    () => ({ format_version: '1.0', ending: 'done', report: last.report }),
  );
  if (wait !== true || isProcessed(last.report)) return exitCodes.done;
  if (signal.aborted) return exitCodes.interrupted;
  if (last.trouble !== undefined) {
    context.io.err(errorText(last.trouble, context.errPalette, context.logs('debug')));
    return exitCodeOf(last.trouble);
  }
  context.log(
    'error',
    `The report is not judged to the end after ${timeout} s; \`sluice abuse-reports get ${idOf(report)} --wait\` goes on waiting.`,
  );
  return exitCodes.failed;
}

function pathOf(id: string): string {
  return `${abuseReport.path}/${pathSegment(id)}`;
}

function idOf({ id }: JsonObject): string {
  return typeof id === 'string' ? safeText(id) : '(the service gave no id)';
}

/** Sends the report; answers it, or why it is not known whether it was filed. */
async function file(writer: Client, body: JsonObject): Promise<JsonObject | SluiceError> {
  try {
    return (await writer.write({ method: 'POST', path: abuseReport.path, body })) ?? {};
  } catch (error) {
    if (error instanceof SluiceError && mayHaveHappened(error)) return error;
    throw inPlainWords(error);
  }
}

function tellUnknown(context: Context, { code, message }: SluiceError): number {
  const said = `${message}; the report may have been filed, and is not sent again`;
  const hint =
    'reports cannot be listed, so only the operator of the service can say; sending it again may file it twice';
  context.log('error', `${context.errPalette.danger('unknown:')} ${safeText(said, 2000)}\n  ${hint}`);
  context.result(
    () => '',
    () => ({ format_version: '1.0', ending: 'unknown', report: null, code, message: said, hint }),
  );
  return exitCodes.inPart;
}

function inPlainWords(error: unknown): unknown {
  return error instanceof NotAllowed && error.status === 403 ? new NoAbuseReports(error) : error;
}
