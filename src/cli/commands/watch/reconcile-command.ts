import { safeText } from '../../../diagnostics/safe-text.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import { systemReason } from '../../../diagnostics/system-reason.ts';
import { statusJsonSchema, type StatusJson } from '../../../render/status/status-json-schema.ts';
import { askWatch } from '../../../watch/control/ask-watch.ts';
import type { Backend } from '../../../state/backend.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { withBackend } from '../../with-backend.ts';

/** Has the running watch of a stack reconcile now, and prints how that ended. */
export async function reconcileCommand(context: Context): Promise<number> {
  const status = statusJsonSchema.parse(JSON.parse(await withBackend(context, (backend) => askFor(backend, context))));
  context.result(
    () => resultText(status),
    () => status,
  );
  return exitCodeOfStatus(status);
}

async function askFor({ socketPath }: Backend, { io }: Context): Promise<string> {
  if (socketPath === undefined)
    throw notReachable('its state is not on this machine, and SLUICE_WATCH_SOCKET is not set');
  try {
    const answer = await askWatch(socketPath, '/reconcile', io.signal);
    if (answer !== undefined) return answer;
  } catch (error) {
    throw notReachable(`${socketPath}: ${systemReason(error)}`);
  }
  throw notReachable(`nothing listens at ${socketPath}`);
}

function notReachable(why: string): SluiceError {
  return new SluiceError('WATCH_NOT_REACHABLE', `the watch of this stack cannot be reached: ${why}`, {
    hint: 'run `sluice reconcile` on the machine of the leader, as the user that runs `sluice watch`',
  });
}

function exitCodeOfStatus({ conditions, failures, pending_total }: StatusJson): number {
  if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) return exitCodes.done;
  return failures.length === 0 && pending_total > 0 ? exitCodes.pending : exitCodes.failed;
}

function resultText({
  conditions,
  pause,
  failures,
  pending,
  pending_total,
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
    ...(pause === undefined
      ? []
      : [`  paused until ${pause.until}${pause.reason === undefined ? '' : `: ${pause.reason}`}`]),
    ...applied,
    ...failures.map(
      ({ scope, message, hint }) => `  failed: ${scope}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
    ),
    ...pending.slice(0, mostLines).map(({ address, action, reason }) => `  pending: ${action} ${address} (${reason})`),
    ...(pending_total > mostLines ? [`  ${String(pending_total - mostLines)} more pending changes`] : []),
  ];
  return lines.map((line) => `${safeText(line, 1_000)}\n`).join('');
}

const mostLines = 20;
