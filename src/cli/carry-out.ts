import { applyPlan } from '../apply/apply.ts';
import { kinds } from '../kinds/index.ts';
import type { Outcome } from '../model/outcome.ts';
import { isEmptyPlan, type Plan } from '../model/plan.ts';
import { outcomeJson } from '../render/outcome-json.ts';
import { outcomeText } from '../render/outcome-text.ts';
import { planJson } from '../render/plan-json.ts';
import { planText } from '../render/plan-text.ts';
import { progress } from '../render/progress.ts';
import { AppliedInPart } from './applied-in-part.ts';
import type { Context } from './context.ts';
import { writeIssued } from './issued-files.ts';
import { exitCodeOfOutcome, exitCodes } from './exit-code.ts';
import { UsageError } from './usage-error.ts';
import type { Workspace } from './workspace.ts';

/** Flags of commands that write. */
export interface ApprovalFlags {
  readonly autoApprove?: boolean;
  /** How many seconds to wait for another run. */
  readonly lockTimeout?: number;
}

/** Refuses to begin where nobody could be asked and nobody has approved beforehand. */
export function mustBeApprovable(context: Context, { autoApprove }: ApprovalFlags): void {
  if (autoApprove === true || context.canAsk) return;
  throw new UsageError(
    'there is no terminal to ask for approval',
    'say --auto-approve when the plan may be carried out unseen',
  );
}

/** Shows a plan, has it approved, carries it out and tells how that ended. */
export async function carryOut(
  context: Context,
  workspace: Workspace,
  plan: Plan,
  flags: ApprovalFlags,
  question: string,
): Promise<number> {
  if (!context.json) context.io.out(planText(plan, { kinds, ...context.layout }));
  const blocked = plan.changes.filter((change) => change.blocked !== undefined);
  if (blocked.length > 0) {
    context.log('error', `Refused: ${blocked.length} of the changes may not be made. Nothing was written.`);
    tell(context, plan, undefined);
    return exitCodes.refused;
  }
  if (!isEmptyPlan(plan) && flags.autoApprove !== true && !(await isApproved(context, question))) {
    context.log('error', 'Not approved. Nothing was written.');
    tell(context, plan, undefined);
    return context.io.signal.aborted ? exitCodes.interrupted : exitCodes.failed;
  }
  const { carryThrough = (work) => work() } = context.io;
  const outcome = await carryThrough(() => apply(context, workspace, plan));
  tell(context, plan, outcome);
  if (!workspace.mayWrite()) context.log('error', 'Another run has taken over the lock; this one has stopped.');
  return exitCodeOfOutcome(outcome);
}

async function isApproved({ io }: Context, question: string): Promise<boolean> {
  try {
    return /^y(es)?$/i.test((await io.ask(`\n${question} Only yes goes on: `)).trim());
  } catch (error) {
    // Ctrl-C at the question.
    if (io.signal.aborted) return false;
    throw error;
  }
}

async function apply(context: Context, workspace: Workspace, plan: Plan): Promise<Outcome> {
  const { io, errPalette } = context;
  const isLive = io.terminal.err && io.terminal.columns !== undefined;
  const told = progress({
    write: (text) => {
      if (context.logs('info')) io.err(text);
    },
    palette: errPalette,
    ...(isLive ? { columns: io.terminal.columns } : {}),
  });
  let done = 0;
  try {
    return await applyPlan({
      plan,
      kinds,
      client: workspace.writer(),
      state: workspace.memory,
      save: workspace.store.save,
      record: workspace.store.recorder(workspace.memory),
      digest: workspace.digest,
      now: io.now ?? Date.now,
      writeFile: (path, text) => writeIssued(workspace.dir, path, text),
      parallelism: workspace.parallelism,
      signal: io.signal,
      mayStart: workspace.mayWrite,
      onEvent: (event) => {
        if (event.type === 'finished' && event.outcome.ending === 'done') done += 1;
        told.onEvent(event);
      },
    });
  } catch (error) {
    throw done === 0 ? error : new AppliedInPart(error, done);
  } finally {
    told.end();
  }
}

function tell(context: Context, plan: Plan, outcome: Outcome | undefined): void {
  if (outcome === undefined && !context.json) return;
  context.result(
    () =>
      outcome === undefined || isEmptyPlan(plan) ? '' : `\n${outcomeText(outcome, context.palette, context.width)}`,
    () => ({
      format_version: '1.0',
      plan: planJson(plan, { kinds }),
      outcome: outcome === undefined ? null : outcomeJson(outcome),
    }),
  );
}
