import { safeText } from '../../../diagnostics/safe-text.ts';
import type { FleetJson } from '../../../render/status/fleet/fleet-json-schema.ts';
import type { Palette } from '../../../render/text/palette.ts';
import { table } from '../../../render/text/table.ts';
import { approvalEffectText } from '../../../render/status/status-words.ts';

const columns = [
  'CONDITION',
  'STACK',
  'SINCE',
  'OBSERVED',
  'APPLIED',
  'PENDING',
  'DRIFTED',
  'LAST RUN',
  'ACTIVITY',
  'SUMMARY',
];

type Row = FleetJson['stacks'][number];

/** The stacks of a fleet: how many have which cause, then each in a table, the worst first. */
export function fleetText({ headline, stacks, causes, search_failure: failure }: FleetJson, palette: Palette): string {
  const warning =
    failure === undefined ? '' : `The watch cannot search its directory for stacks: ${safeText(failure, 200)}\n`;
  if (stacks.length === 0) return `${warning}The watch has found no stacks.\n`;
  const groups = causes.map(({ summary }) => `${safeText(summary, 160)}\n`).join('');
  return `${warning}${safeText(headline, 1_000)}\n\n${groups}\n${table(columns, stacks.map(cells), palette)}`;
}

function cells(row: Row): readonly string[] {
  const { condition, path, observed_revision, applied_revision, pending_total, drifted_total, last_run } = row;
  return [
    condition,
    path,
    row.since === undefined ? '-' : row.since.slice(0, 19),
    revisionText(observed_revision),
    revisionText(applied_revision),
    String(pending_total),
    String(drifted_total),
    last_run === undefined ? '-' : last_run.time.slice(0, 19),
    row.activity.summary,
    summaryText(row),
  ].map((text) => safeText(text, 400));
}

/** What is the matter, with which resources, and when an approval would take effect. */
function summaryText({ summary, detail, resources, resources_total: total, ...row }: Row): string {
  const named = resources.slice(0, mostNamed).join(', ');
  const more = total - Math.min(resources.length, mostNamed);
  const isAsked = row.cause === 'approval';
  return [
    summary,
    ...(detail === undefined ? [] : [detail.replace(/\.$/, '')]),
    ...(named === '' ? [] : [`Resources: ${named}${more > 0 ? ` and ${String(more)} more` : ''}`]),
    ...(isAsked ? [approvalEffectText(row.approval_obstacle)] : []),
  ].join('. ');
}

const mostNamed = 3;

function revisionText(revision: Row['observed_revision']): string {
  return (revision?.commit ?? revision?.content ?? '-').slice(0, 7);
}
