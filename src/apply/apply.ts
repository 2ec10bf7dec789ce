import { hasErrors } from '../diagnostics/diagnostic.ts';
import { InvalidInput, Refused, SluiceError } from '../diagnostics/errors.ts';
import { areAllDone, type Outcome, type UnsavedState } from '../model/outcome.ts';
import type { Plan } from '../model/plan/plan.ts';
import { inSlices } from '../model/sliced.ts';
import type { ApplyOptions } from './apply-options.ts';
import { moveEntries, forgetOldInstances } from './entries-in-state.ts';
import { ApplyRun } from './apply-run.ts';
import { runSteps } from './schedule.ts';

/** Applies a plan in its order, and records each success. A change that fails does not throw: the outcome reports it. */
export async function applyPlan(options: ApplyOptions): Promise<Outcome> {
  const { plan } = options;
  mustBeApplicable(plan);
  if (plan.changes.some(({ action }) => action !== 'none')) await options.onBegin?.();
  const run = new ApplyRun(options);
  moveEntries(plan.changes, run.state);
  if (options.account !== undefined) forgetOldInstances(options.account, run.state);
  await inSlices(run.recordUnchanged(), options.pause);
  await run.rememberLastAccess();
  await run.keepKnown();
  // What is recorded so far is durable before the first request; if that fails, no step starts.
  await run.state.flush();
  const results = await runSteps(plan.steps, {
    parallelism: options.parallelism ?? 10,
    mayStart: () => run.mayGoOn(),
    perform: (step) => run.perform(step),
    ...(options.lookAhead === undefined
      ? {}
      : { prepare: { count: options.lookAhead, step: (step) => run.prepare(step) } }),
  });
  run.withdrawAhead();
  // All requests are answered: what others have made meanwhile is looked for while the last results are saved.
  const listed = run.duplicates();
  // A change without a request is done once state is saved, so outcomes need the result of saving.
  await run.state.flush();
  const changes = await inSlices(run.outcomes(results), options.pause);
  const unresolved = await run.concludeEarlier(changes);
  await run.forgetLastAccess(changes);
  if (options.revision !== undefined && unresolved.length === 0 && areAllDone(changes))
    run.state.putApplied(options.revision);
  const failure = await run.state.flush();
  return {
    changes,
    unresolved,
    duplicates: await listed,
    requests: run.sent,
    interrupted: options.signal?.aborted === true,
    ...(failure === undefined ? {} : { stateError: stateNotSaved(failure, options.isRepeated === true) }),
  };
}

/** Throws for a plan with errors, or with a blocked change: such a plan is not started (decisions/0032). */
function mustBeApplicable({ changes, diagnostics }: Plan): void {
  if (hasErrors(diagnostics)) throw new InvalidInput(diagnostics);
  const blocked = changes.filter((change) => change.blocked !== undefined);
  if (blocked.length > 0)
    throw new Refused('BLOCKED', 'the plan has blocked changes', {
      details: blocked.map(({ address, blocked: why }) => `${address}: ${why?.message ?? ''}`),
    });
}

const usual =
  'make the state store writable and run `sluice apply` again; sluice finds the resources that this run created by their ownership markers';

const usualInWatch =
  'make the state store writable; the next apply finds the resources that this run created by their ownership markers';

/** How a failure to save state is reported. */
function stateNotSaved(failure: unknown, isRepeated: boolean): UnsavedState {
  const hint = isRepeated ? usualInWatch : usual;
  const message = failure instanceof Error ? failure.message : 'unknown error';
  if (!(failure instanceof SluiceError))
    return { code: 'STATE_NOT_WRITTEN', message: `cannot save the state: ${message}`, hint };
  if (failure.hint === undefined) return { code: failure.code, message, hint };
  const inWatch = failure.hintInWatch ?? 'sluice retries automatically';
  return { code: failure.code, message, hint: isRepeated ? inWatch : failure.hint };
}
