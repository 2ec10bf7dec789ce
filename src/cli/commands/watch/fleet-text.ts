import { safeText } from '../../../diagnostics/safe-text.ts';
import type { FleetJson } from '../../../render/status/fleet/fleet-json-schema.ts';
import type { Palette } from '../../../render/text/palette.ts';
import { table } from '../../../render/text/table.ts';
import { exitCodes } from '../../exit-code.ts';

const columns = ['CONDITION', 'STACK', 'OBSERVED', 'APPLIED', 'PENDING', 'DRIFTED', 'LAST RUN', 'ACTIVITY', 'SUMMARY'];

type Row = FleetJson['stacks'][number];

/** The stacks of a fleet: how many have which cause, then each in a table, the worst first. */
export function fleetText({ stacks, causes, search_failure: failure }: FleetJson, palette: Palette): string {
  const warning =
    failure === undefined ? '' : `The directory cannot be searched for stacks: ${safeText(failure, 200)}\n`;
  if (stacks.length === 0) return `${warning}There are no stacks.\n`;
  const groups = causes.map(({ summary }) => `${safeText(summary, 160)}\n`).join('');
  return `${warning}${groups}\n${table(columns, stacks.map(cells), palette)}`;
}

/** 0 where nothing is to be done; 2 where changes are pending; 1 where a stack failed. */
export function exitCodeOfFleet({ stacks }: FleetJson): number {
  if (stacks.some(({ condition }) => condition === 'failed')) return exitCodes.failed;
  const isPending = ({ condition, pending_total }: Row): boolean =>
    condition === 'action-required' || pending_total > 0;
  return stacks.some(isPending) ? exitCodes.pending : exitCodes.done;
}

function cells(row: Row): readonly string[] {
  const { condition, path, observed_revision, applied_revision, pending_total, drifted_total, last_run } = row;
  return [
    condition,
    path,
    revisionText(observed_revision),
    revisionText(applied_revision),
    String(pending_total),
    String(drifted_total),
    last_run === undefined ? '-' : last_run.time.slice(0, 19),
    row.activity.summary,
    row.detail === undefined ? row.summary : `${row.summary}. ${row.detail}`,
  ].map((text) => safeText(text, 160));
}

function revisionText(revision: Row['observed_revision']): string {
  return (revision?.commit ?? revision?.content ?? '-').slice(0, 7);
}
