import type { JsonObject } from '../../../api/read-answer.ts';
import type { Palette } from '../../../render/text/palette.ts';
import { resourceText } from '../../../render/values/resource-text.ts';
import { table } from '../../../render/text/table.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';

/** A report as text: its fields, then its hostnames with the status of each. */
export function reportText(report: JsonObject, palette: Palette): string {
  const { hostnames, ...fields } = report;
  const rows = Array.isArray(hostnames) ? hostnames.map(row) : [];
  return `${resourceText(fields, palette)}${rows.length === 0 ? '' : `\n${table(['HOSTNAME', 'STATUS'], rows, palette)}`}`;
}

function row(item: unknown): readonly string[] {
  const { hostname, status } = (item ?? {}) as JsonObject;
  return [hostname, status].map((value) => (typeof value === 'string' && value !== '' ? safeText(value, 255) : '-'));
}
