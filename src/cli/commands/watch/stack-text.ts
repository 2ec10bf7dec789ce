import { safeText } from '../../../diagnostics/safe-text.ts';
import type { StatusJson } from '../../../render/status/status-json-schema.ts';
import { approvalLines } from '../../../render/plan/approval-summary.ts';
import { exitCodes } from '../../exit-code.ts';

/** 0 where everything is in sync; 2 where changes are pending; 1 where something failed. */
export function exitCodeOfStatus({ conditions, failures, pending_total }: StatusJson): number {
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) return exitCodes.done;
  return failures.length === 0 && pending_total > 0 ? exitCodes.pending : exitCodes.failed;
}

/** A status in a few lines: its condition, what was applied last, what failed, what is pending. */
export function stackText({
  conditions,
  activity,
  action_required,
  pause,
  failures,
  pending,
  pending_total,
  approval_summary: approval,
  refused_approval,
  applies,
  last_refreshed,
}: StatusJson): string {
  const ready = conditions.find(({ type }) => type === 'Ready');
  const [last] = applies;
  const applied =
    last !== undefined && last_refreshed !== undefined && last.start_time >= last_refreshed
      ? last.changes.map(({ address, action, outcome }) => `  ${outcome}: ${action} ${address}`)
      : [];
  const lines = [
    `Ready: ${ready?.status ?? 'Unknown'} (${ready?.reason ?? 'Unknown'})${ready === undefined || ready.message === '' ? '' : `: ${ready.message}`}`,
    `  activity: ${activity.summary}`,
    ...action_required.map(({ summary }) => `  action required: ${summary}`),
    ...(approval === undefined ? [] : approvalLines(approval, approval.follows).map((line) => `  ${line}`)),
    ...(pause === undefined ? [] : [pauseLine(pause)]),
    ...applied,
    ...failures.map(
      ({ scope, message, hint }) => `  failed: ${scope}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
    ),
    ...pending.slice(0, mostLines).map(pendingLine),
    ...(refused_approval === undefined ? [] : [`  ${refused_approval}`]),
    ...(pending_total > mostLines ? [`  ${String(pending_total - mostLines)} more pending changes`] : []),
  ];
  return lines.map((line) => `${safeText(line, 1_000)}\n`).join('');
}

const mostLines = 20;

function pauseLine({ until, start_time, by, reason }: NonNullable<StatusJson['pause']>): string {
  const who = `${by === undefined ? '' : ` by ${by}`}${start_time === undefined ? '' : ` at ${start_time}`}`;
  const how = until === undefined ? 'until somebody resumes' : `until ${until}`;
  return `  paused${who} ${how}${reason === undefined ? '' : `: ${reason}`}; to resume now, run \`sluice resume\``;
}

function pendingLine({
  address,
  action,
  reason,
  introduced_by: by,
  introduced_earlier: isEarlier,
}: StatusJson['pending'][number]): string {
  const revision = (by?.commit ?? by?.content)?.slice(0, 7);
  const from = revision === undefined ? '' : `, from ${revision}${isEarlier === true ? ' or earlier' : ''}`;
  return `  pending: ${action === 'none' ? '' : `${action} `}${address} (${reason}${from})`;
}
