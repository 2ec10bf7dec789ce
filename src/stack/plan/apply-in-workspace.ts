import type { StackContext } from '../stack-context.ts';
import { applyPlan } from '../../apply/apply.ts';
import { kinds } from '../../kinds/index.ts';
import { yieldToLoop } from '../../manifest/read/yield-to-loop.ts';
import type { ApplyEvent, Outcome } from '../../model/outcome.ts';
import { present } from '../../model/present.ts';
import { inSlices } from '../../model/sliced.ts';
import type { ApprovalRecord } from '../../model/status/watch-status.ts';
import type { EndRun } from '../../state/run-records.ts';
import { seenIds } from '../../model/actual.ts';
import { pipelineCommit } from '../settings/pipeline-run-url.ts';
import { writeIssued } from './issued-files.ts';
import type { Planned } from './make-plan.ts';
import { planDigestInSteps, manifestsHash } from './plan-digest.ts';
import { recordedRules } from './looser-rules.ts';
import { doneRun, plannedRun, possiblyDone } from './run-facts.ts';
import type { Workspace } from '../workspace.ts';

// An intent waits for the write under way and then for its own, each about as long as a request to the service.
const roundsAhead = 3;

/** A plan, or a part of what is to be done, with the approvals that its changes required. */
interface ToApply extends Planned {
  readonly isPart?: boolean;
  readonly approvals?: readonly ApprovalRecord[];
  /** The digest under which it is known already, such as the one that was approved; that of the plan by default. */
  readonly digest?: string;
  /** Whether a watch applies it, which plans and applies again automatically. */
  readonly isRepeated?: boolean;
}

/** Carries a plan out in a workspace, keeping what is done in its state, and which commit that was if the plan is whole. Once the signal of the context aborts, nothing new is started. */
export async function applyInWorkspace(
  context: StackContext,
  workspace: Workspace,
  { plan, input, checkout, isPart = false, approvals = [], digest: known, isRepeated = false }: ToApply,
  onEvent: (event: ApplyEvent) => void,
  showPlan: () => string | Promise<string> = () => '',
): Promise<Outcome> {
  const { io } = context;
  const pause = yieldToLoop();
  const commit = checkout?.commit ?? pipelineCommit(io.env);
  const isWhole = plan.complete && !isPart && input.destroying !== true;
  const revision =
    isWhole && checkout !== undefined
      ? { commit: checkout.commit, manifests: manifestsHash(input.desired, workspace.digest) }
      : undefined;
  const record = workspace.store.recorder(workspace.stateOrEmpty);
  const seen = seenIds(input.account);
  await pause();
  let endRun: EndRun | undefined;
  const outcome = await applyPlan({
    plan,
    kinds,
    client: workspace.writer,
    state: workspace.stateOrEmpty,
    record,
    digest: workspace.digest,
    seen,
    account: input.account,
    now: io.now ?? Date.now,
    writeFile: (path, text) => writeIssued(workspace.dir, path, text),
    parallelism: workspace.parallelism,
    ...(workspace.isShared ? { lookAhead: workspace.parallelism * roundsAhead } : {}),
    signal: io.signal,
    isRepeated,
    mayStart: workspace.mayWrite,
    ...present({ revision, clock: io.clock }),
    onEvent,
    pause,
    onBegin: async () => {
      const digest = known ?? (await inSlices(planDigestInSteps(context, workspace, plan), pause));
      const uncommitted = await checkout?.uncommitted();
      if (uncommitted === true)
        context.log('warn', `files of this stack have changes that are not in commit ${commit?.slice(0, 12) ?? ''}`);
      const rules = recordedRules(workspace.policy, workspace.settings.watch);
      const planned = plannedRun(io.env, { commit, uncommitted, approvals, rules, digest, planText: await showPlan() });
      // Without a history a run goes on all the same.
      endRun = await workspace.beginRun?.({ planned, possible: possiblyDone(plan.changes) }).catch(() => undefined);
    },
  });
  // A record that cannot be written changes nothing about how the run ended, and is not waited for.
  if (outcome.stateError?.code !== 'STORE_UNAVAILABLE') await endRun?.(doneRun(outcome)).catch(() => undefined);
  return outcome;
}
