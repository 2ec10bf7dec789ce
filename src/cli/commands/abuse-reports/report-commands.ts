import { NotFound, SluiceError } from '../../../diagnostics/errors.ts';
import type { JsonObject } from '../../../model/json-object.ts';
import type { Client } from '../../../api/client.ts';
import { isNotFound, mayHaveHappened, NotAllowed } from '../../../api/api-errors.ts';
import { pathSegment } from '../../../derive/wire/operations.ts';
import { counted } from '../../../diagnostics/counted.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { textOf } from '../../../kinds/value.ts';
import { abuseReport } from '../../../kinds/views.ts';
import { errorText } from '../../../render/diagnostics/error-text.ts';
import type { Context } from '../../context.ts';
import { exitCodeOf, exitCodes } from '../../exit-code.ts';
import type { Service } from '../../../stack/service/open-service.ts';
import { withService } from '../../with-workspace.ts';
import { UsageError, mustBeIdArgument } from '../../../stack/usage-error.ts';
import { urlsToReport } from './urls-to-report.ts';
import { awaitReport, isProcessed } from './await-report.ts';
import type { Palette } from '../../../render/text/palette.ts';
import { resourceText } from '../../../render/values/resource-text.ts';
import { table } from '../../../render/text/table.ts';

interface WaitFlags {
  readonly wait?: boolean;
  readonly timeout: number;
}

/** Reports URLs, once: a report whose response was lost may have been filed, and cannot be looked up. */
export async function createReport(
  context: Context,
  args: readonly string[],
  flags: WaitFlags & { readonly file?: readonly string[]; readonly metadata?: string },
): Promise<number> {
  const { file: files = [], metadata } = flags;
  const urls = await urlsToReport(context.io, args, files);
  if (metadata !== undefined) mustFit(metadata);
  return withService(context, { command: 'abuse-reports create', writes: true }, async (service) => {
    const report = await file(service.writer, { urls, ...(metadata === undefined ? {} : { metadata }) });
    if (report instanceof SluiceError) return printUnknown(context, report);
    // Printed at once, because reports cannot be listed.
    const id = textOf(report['id']) || undefined;
    const reported = `Reported ${counted(urls.length, 'URL')}`;
    context.log(
      'info',
      id === undefined
        ? `${reported}; the response contains no id`
        : `${reported}; the id of the report is ${safeText(id)}`,
    );
    return showReport(context, service, { report, id }, flags);
  });
}

function mustFit(metadata: string): void {
  const { metadata: field } = abuseReport.fields;
  const most = field?.is === 'leaf' ? (field.limit?.max ?? Infinity) : Infinity;
  const bytes = Buffer.byteLength(metadata);
  if (bytes > most) throw new UsageError(`--metadata is ${bytes} bytes long; the limit is ${most}`);
}

/** Shows a report and the status of its hostnames. */
export async function getReport(context: Context, id: string, flags: WaitFlags): Promise<number> {
  mustBeIdArgument(id);
  return withService(context, { command: 'abuse-reports get', writes: false }, async (service) => {
    const report = await service.reader.get(pathOf(id)).catch((error: unknown) => {
      if (!isNotFound(error)) throw explained(error);
      throw new NotFound(
        'ABUSE_REPORT_NOT_FOUND',
        `abuse report ${JSON.stringify(id)} not found`,
        'check the id of the abuse report; the API cannot list abuse reports',
      );
    });
    return showReport(context, service, { report, id }, flags);
  });
}

async function showReport(
  context: Context,
  service: Service,
  { report, id }: { readonly report: JsonObject; readonly id: string | undefined },
  { wait, timeout }: WaitFlags,
): Promise<number> {
  const { signal } = context.io;
  const last =
    wait === true && id !== undefined
      ? await awaitReport(context, service, { path: pathOf(id), first: report, seconds: timeout })
      : { report };
  context.done(reportText(last.report, context.palette), { ending: 'done', report: last.report });
  if (wait !== true || isProcessed(last.report)) return exitCodes.done;
  if (signal.aborted) return exitCodes.interrupted;
  if (last.trouble !== undefined) {
    context.io.err(errorText(last.trouble, context.errPalette, context.logs('debug')));
    return exitCodeOf(last.trouble);
  }
  if (id === undefined) {
    // Filed, and not known to be processed. A pipeline that repeats a failed command would file it again.
    context.log(
      'error',
      'The report was filed, but the response contains no id, so sluice cannot check whether it is processed. Do not file it again.',
    );
    return exitCodes.inPart;
  }
  context.log(
    'error',
    `The report is not fully processed after ${timeout} s. To keep waiting, run: sluice abuse-reports get ${safeText(id)} --wait`,
  );
  return exitCodes.failed;
}

function pathOf(id: string): string {
  return `${abuseReport.path}/${pathSegment(id)}`;
}

/** Sends the report; returns it, or the reason why it is unknown whether it was filed. */
async function file(writer: Client, body: JsonObject): Promise<JsonObject | SluiceError> {
  try {
    return (await writer.write({ method: 'POST', path: abuseReport.path, body })) ?? {};
  } catch (error) {
    if (error instanceof SluiceError && mayHaveHappened(error)) return error;
    throw explained(error);
  }
}

function printUnknown(context: Context, { code, message }: SluiceError): number {
  const text = `${message}; the report may have been filed and is not sent again`;
  const hint = 'ask the operator of the service whether the report was filed; a second request may file a duplicate';
  context.log('error', `${context.errPalette.danger('unknown:')} ${safeText(text, 2000)}\n  ${hint}`);
  context.done('', { ending: 'unknown', report: null, code, message: text, hint });
  return exitCodes.inPart;
}

function explained(error: unknown): unknown {
  if (!(error instanceof NotAllowed) || error.status !== 403) return error;
  const { method, path, status, msg } = error;
  const own = new NotAllowed({ method, path }, { status, msg }, 'ask the operator of the service for access');
  own.message = `the account is not authorized to use abuse reports (the service returned ${status}: ${msg})`;
  return own;
}

function reportText(report: JsonObject, palette: Palette): string {
  const { hostnames, ...fields } = report;
  const rows = Array.isArray(hostnames) ? hostnames.map(row) : [];
  return `${resourceText(fields, palette)}${rows.length === 0 ? '' : `\n${table(['HOSTNAME', 'STATUS'], rows, palette)}`}`;
}

function row(item: unknown): readonly string[] {
  const { hostname, status } = (item ?? {}) as JsonObject;
  return [hostname, status].map((value) => safeText(textOf(value), 255) || '-');
}
