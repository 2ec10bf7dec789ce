import type { StackContext } from '../stack-context.ts';
import { applyPlan } from '../../apply/apply.ts';
import { kinds } from '../../kinds/index.ts';
import { yieldToLoop } from '../../manifest/read/yield-to-loop.ts';
import { type ApplyEvent, type Outcome, endings } from '../../model/outcome.ts';
import { present } from '../../model/present.ts';
import { inSlices } from '../../model/sliced.ts';
import type { ApprovalRecord } from '../../model/status/watch-status.ts';
import type { EndRun } from '../../state/run-records.ts';
import { pipelineCommit, pipelineRunUrl } from '../settings/pipeline-run-url.ts';
import { writeIssued } from './issued-files.ts';
import type { Planned } from './make-plan.ts';
import { planDigestInSteps, manifestsHash } from './plan-digest.ts';
import { recordedRules } from './looser-rules.ts';
import type { Workspace } from '../workspace.ts';
import { seenIds } from '../../model/actual.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { DoneRun, PlannedRun } from '../../state/run-record.ts';

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

// More are counted only: a record stays small whatever a run did.
const mostChanges = 500;

interface AppliedAs extends Required<Pick<PlannedRun, 'digest' | 'planText' | 'rules'>> {
  readonly commit: string | undefined;
  readonly uncommitted: boolean | undefined;
  readonly approvals: readonly ApprovalRecord[];
}

/** The record of a run before it begins. */
export function plannedRun(
  env: StackContext['io']['env'],
  { commit, uncommitted, approvals, ...more }: AppliedAs,
): PlannedRun {
  return {
    ...more,
    ...present({ commit, uncommitted, url: pipelineRunUrl(env) }),
    ...(approvals.length === 0
      ? {}
      : { approvals: approvals.map((one) => ({ ...one, at: new Date(one.at).toISOString() })) }),
  };
}

/** What a run has possibly done of its changes, whose end nobody recorded. */
export function possiblyDone(changes: readonly Pick<Change, 'address' | 'action' | 'id'>[]): DoneRun {
  const unknown = changes.map((change) => ({ ...change, ending: 'unknown' as const }));
  return doneRun({ changes: unknown, requests: 0, interrupted: true });
}

/** The outcome in the record of a run: no values, and so no secrets. */
export function doneRun(outcome: Pick<Outcome, 'changes' | 'requests' | 'interrupted'>): DoneRun {
  const { changes, requests, interrupted } = outcome;
  const real = changes.filter(({ action }) => action !== 'none');
  const counts = (names: readonly string[]): Record<string, number> => {
    const found: Record<string, number> = {};
    for (const name of names) found[name] = (found[name] ?? 0) + 1;
    return found;
  };
  const ended = counts(real.map(({ ending }) => ending));
  return {
    interrupted,
    requests,
    done: counts(real.filter(({ ending }) => ending === 'done').map(({ action }) => action)),
    endings: Object.fromEntries(endings.map((ending) => [ending, ended[ending] ?? 0])) as DoneRun['endings'],
    changes: real
      .slice(0, mostChanges)
      .map(({ address, action, ending, id }) => ({ address, action, ending, ...(id === undefined ? {} : { id }) })),
    omitted: Math.max(0, real.length - mostChanges),
  };
}
