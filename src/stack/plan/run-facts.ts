import { endings, type Outcome } from '../../model/outcome.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { ApprovalRecord } from '../../model/status/watch-status.ts';
import type { DoneRun, PlannedRun } from '../../state/run-record.ts';
import { pipelineRunUrl } from '../settings/pipeline-run-url.ts';
import type { StackContext } from '../stack-context.ts';
import { present } from '../../model/present.ts';

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
