import { wallClock } from '../api/clock.ts';
import { kinds } from '../kinds/index.ts';
import type { Outcome } from '../model/outcome.ts';
import { isEmptyPlan } from '../model/plan.ts';
import { planText } from '../render/plan/plan-text.ts';
import { progressLines } from '../render/outcome/progress-lines.ts';
import { applyInWorkspace } from '../stack/apply-in-workspace.ts';
import type { Context } from './context.ts';
import { openEventFile, type EventFile } from './event-file.ts';
import { outcomeReporter, type OutcomeFlags } from './outcome-reporter.ts';
import { exitCodeOfOutcome, exitCodes } from './exit-code.ts';
import { isAgreed } from './is-agreed.ts';
import { lacksVerifiedSecrets } from '../stack/lacks-verified-secrets.ts';
import type { Planned } from '../stack/make-plan.ts';
import { UsageError } from '../stack/usage-error.ts';
import type { Workspace } from '../stack/workspace.ts';

const stopping =
  'Stopping: what is under way is finished and remembered. Once more ends at once; the next run finds what was under way.';

/** Flags of commands that write. */
export interface ApprovalFlags extends OutcomeFlags {
  readonly autoApprove?: boolean;
  /** Write nothing where a secret cannot be verified. */
  readonly requireVerifiedSecrets?: boolean;
  /** A file for events as they happen. */
  readonly events?: string;
  /** How many seconds to wait for another run. */
  readonly lockTimeout?: number;
}

/** Refuses to begin where nobody could be asked and nobody has approved beforehand. */
export function requireApproval(context: Context, { autoApprove }: ApprovalFlags): void {
  if (autoApprove === true || context.canAsk) return;
  throw new UsageError(
    'there is no terminal to ask for approval',
    'say --auto-approve when the plan may be carried out unseen',
  );
}

/** Shows a plan, has it approved, carries it out and tells how that ended. */
export async function approveAndApply(
  context: Context,
  workspace: Workspace,
  planned: Planned,
  flags: ApprovalFlags,
  question: string,
): Promise<number> {
  const { plan } = planned;
  if (context.format === 'text') context.io.out(planText(plan, { kinds, ...context.layout }));
  const tell = outcomeReporter(context, plan, flags);
  const blocked = plan.changes.filter((change) => change.blocked !== undefined);
  if (blocked.length > 0) {
    context.log('error', `Refused: ${blocked.length} of the changes may not be made. Nothing was written.`);
    return tell(undefined, exitCodes.refused);
  }
  if (lacksVerifiedSecrets(context, plan, flags)) return tell(undefined, exitCodes.refused);
  if (!isEmptyPlan(plan) && flags.autoApprove !== true && !(await isAgreed(context.io, `\n${question}`))) {
    context.log('error', 'Not approved. Nothing was written.');
    return tell(undefined, context.io.signal.aborted ? exitCodes.interrupted : exitCodes.failed);
  }
  const events = openEventFile(context, flags.events);
  try {
    const { carryThrough = (work) => work() } = context.io;
    const outcome = await carryThrough(() => apply(context, workspace, planned, events));
    const code = exitCodeOfOutcome(outcome);
    events?.ended(outcome, code);
    if (!workspace.mayWrite())
      context.log('error', 'The lock of this run is gone, taken over or removed; it has stopped.');
    return tell(outcome, code);
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
  const clock = io.clock ?? wallClock;
  const told = progressLines({
    say: (lines) => {
      if (logs('info')) live.say(lines);
    },
    show: (text) => {
      if (logs('info')) live.show(text);
    },
    palette: errPalette,
    columns: io.terminal.columns ?? 80,
    now: clock.now,
    gapMs: workspace.gapMs,
  });
  const timer = setInterval(told.tick, 1_000).unref();
  const onStop = (): void => {
    context.log('warn', stopping);
  };
  io.signal.addEventListener('abort', onStop, { once: true });
  events?.begun(planned.plan);
  workspace.onWait((wait) => events?.onWait(wait));
  try {
    return await applyInWorkspace(context, workspace, planned, (event) => {
      told.onEvent(event);
      events?.onEvent(event);
    });
  } finally {
    clearInterval(timer);
    io.signal.removeEventListener('abort', onStop);
    live.show('');
  }
}
