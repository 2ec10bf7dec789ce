import { wallClock } from '../../api/clock.ts';
import { kinds } from '../../kinds/index.ts';
import { counted } from '../../diagnostics/counted.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { ApplyEvent, Outcome } from '../../model/outcome.ts';
import { isEmptyPlan, type Plan } from '../../model/plan/plan.ts';
import { listSome } from '../../plan/warnings/list-some.ts';
import { planText } from '../../render/plan/plan-text.ts';
import { plain } from '../../render/text/palette.ts';
import { progressLines } from '../../render/outcome/progress-lines.ts';
import { applyInWorkspace } from '../../stack/plan/apply-in-workspace.ts';
import type { Context } from '../context.ts';
import { openEventFile, type EventFile } from '../output/event-file.ts';
import { type CommentFlags, outputTarget } from '../ci.ts';
import { exitCodeOfOutcome, exitCodes } from '../exit-code.ts';
import { declined } from './approval.ts';
import { lacksVerifiedSecrets } from '../../stack/plan/lacks-verified-secrets.ts';
import type { Planned } from '../../stack/plan/make-plan.ts';
import type { Workspace } from '../../stack/workspace.ts';
import { outcomeJson } from '../../render/outcome/outcome-json.ts';
import { outcomeText } from '../../render/outcome/outcome-text.ts';
import { planJson } from '../../render/plan/plan-json.ts';

const stopping =
  'Stopping: waiting for requests in flight and saving the state. Interrupt again to exit immediately; the next run then finds out whether the unfinished requests took effect.';

/** Flags of commands that change the account. */
export interface ApprovalFlags extends CommentFlags {
  readonly autoApprove?: boolean;
  readonly requireVerifiedSecrets?: boolean;
  readonly events?: string;
  readonly lockTimeout?: number;
}

/** Shows a plan, asks for approval, applies it and reports the outcome. */
export async function approveAndApply(
  context: Context,
  workspace: Workspace,
  planned: Planned,
  flags: ApprovalFlags,
  question: string,
): Promise<number> {
  const { plan } = planned;
  if (context.format.isInteractive) context.io.out(planText(plan, { kinds, ...context.layout }));
  const blocked = plan.changes.filter((change) => change.blocked !== undefined);
  if (blocked.length > 0) {
    context.log(
      'error',
      `Refused: ${counted(blocked.length, 'change is', 'changes are')} blocked. Nothing was written.`,
    );
    const rest = planned.input.destroying === true ? destroyRest(plan) : undefined;
    if (rest !== undefined) context.log('info', rest);
    return reportOutcome(context, plan, flags, undefined, exitCodes.refused);
  }
  if (lacksVerifiedSecrets(context, plan, flags))
    return reportOutcome(context, plan, flags, undefined, exitCodes.refused);
  if (!isEmptyPlan(plan)) {
    const code = await declined(context, flags, `\n${question}`, 'Not approved. Nothing was written.');
    if (code !== undefined) return reportOutcome(context, plan, flags, undefined, code);
  }
  const events = openEventFile(context, flags.events);
  try {
    const { carryThrough = (work) => work() } = context.io;
    const outcome = await carryThrough(() => apply(context, workspace, planned, events));
    const code = exitCodeOfOutcome(outcome);
    events?.finished(outcome, code);
    if (workspace.isCutOff())
      context.log('error', 'The run stopped because the state lock could not be renewed for twice the lease duration.');
    else if (!workspace.mayWrite())
      context.log('error', 'The run stopped because it lost the state lock (taken over or removed).');
    reportOutcome(context, plan, flags, outcome, code);
    const isComplete = exitCodeOfOutcome({ ...outcome, interrupted: false }) === exitCodes.done;
    if (isComplete && outcome.interrupted) context.log('info', 'All changes were made before the interruption.');
    else if (code !== exitCodes.done)
      context.log(
        'info',
        `Run \`sluice plan${planned.input.destroying === true ? ' --destroy' : ''}\` to list the remaining changes.`,
      );
    return code;
  } finally {
    events?.close();
  }
}

async function apply(
  context: Context,
  workspace: Workspace,
  planned: Planned,
  events: EventFile | undefined,
): Promise<Outcome> {
  const { io, errPalette, live, logs } = context;
  const { now } = io.clock ?? wallClock;
  const { columns = 80 } = io.terminal;
  const lines = logs('info')
    ? progressLines({ ...live, palette: errPalette, columns, now, gapMs: workspace.gapMs })
    : undefined;
  const timer = setInterval(() => lines?.tick(), 1_000).unref();
  const onStop = (): void => context.log('warn', stopping);
  io.signal.addEventListener('abort', onStop, { once: true });
  events?.started(planned.plan);
  workspace.listen({ onRetry: (wait) => events?.onRetry(wait) });
  try {
    const onEvent = (event: ApplyEvent): void => {
      lines?.onEvent(event);
      events?.onEvent(event);
    };
    const showPlan = (): string => planText(planned.plan, { kinds, palette: plain });
    return await applyInWorkspace(context, workspace, planned, onEvent, showPlan);
  } finally {
    clearInterval(timer);
    io.signal.removeEventListener('abort', onStop);
    live.show('');
  }
}

/** How to delete the rest where protection keeps `destroy` from deleting a whole stack; undefined where that is not the reason, or there is no rest. */
function destroyRest({ changes }: Plan): string | undefined {
  const deletions = changes.filter(({ action }) => action === 'delete');
  const kept = deletions.filter(
    ({ blocked }) => blocked?.code === 'PROTECTED' || blocked?.code === 'CONTAINS_PROTECTED',
  );
  const rest = deletions.length - kept.length;
  if (kept.length === 0 || rest === 0) return undefined;
  const those = listSome(kept.map(({ address, blocked }) => safeText(blocked?.manifest ?? address)));
  return `\`sluice destroy\` deletes a whole stack or nothing. To delete only the other ${counted(rest, 'resource')}, keep the manifests of ${those}, remove all other manifests, and run \`sluice apply\`.`;
}

/** Prints the outcome of an apply (undefined if it was not started), and returns the exit code. */
function reportOutcome(
  context: Context,
  plan: Plan,
  flags: CommentFlags,
  outcome: Outcome | undefined,
  exitCode: number,
): number {
  const isSilent =
    outcome === undefined || (isEmptyPlan(plan) && outcome.stateError === undefined && outcome.unresolved.length === 0);
  context.result(
    () => (isSilent ? '' : `\n${outcomeText(outcome, context.palette, context.layout.width)}`),
    () => ({
      format_version: '1.0',
      plan: planJson(plan, { kinds }),
      outcome: outcome === undefined ? null : outcomeJson(outcome, exitCode),
    }),
    (format) => format.outcome?.({ plan, outcome, exitCode }, outputTarget(context, flags)),
  );
  // Text output contains this already; the other formats print it to standard error as well.
  if (outcome?.stateError !== undefined && !context.format.isInteractive)
    context.log('error', `error: ${outcome.stateError.message}\n  ${outcome.stateError.hint}`);
  return exitCode;
}
