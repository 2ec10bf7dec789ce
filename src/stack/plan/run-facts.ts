import { endings, type Outcome } from '../../model/outcome.ts';
import type { ApprovalRecord } from '../../model/watch-status.ts';
import type { RunFacts } from '../../state/run-record.ts';
import { pipelineRunUrl } from '../settings/pipeline-run-url.ts';
import type { StackContext } from '../stack-context.ts';

// More are counted only: a record stays small whatever a run did.
const mostChanges = 500;

/** As what a plan is applied. */
interface AppliedAs extends Required<Pick<RunFacts, 'digest' | 'planText'>> {
  readonly commit: string | undefined;
  readonly approvals: readonly ApprovalRecord[];
}

/** What the record of a run says of its outcome: no values, and so no secrets. */
export function runFacts(
  { changes, requests, interrupted }: Outcome,
  env: StackContext['io']['env'],
  { commit, approvals, ...more }: AppliedAs,
): RunFacts {
  const real = changes.filter(({ action }) => action !== 'none');
  const url = pipelineRunUrl(env);
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
    endings: Object.fromEntries(endings.map((ending) => [ending, ended[ending] ?? 0])) as RunFacts['endings'],
    changes: real
      .slice(0, mostChanges)
      .map(({ address, action, ending, id }) => ({ address, action, ending, ...(id === undefined ? {} : { id }) })),
    omitted: Math.max(0, real.length - mostChanges),
    ...more,
    ...(commit === undefined ? {} : { commit }),
    ...(url === undefined ? {} : { url }),
    ...(approvals.length === 0
      ? {}
      : { approvals: approvals.map((one) => ({ ...one, at: new Date(one.at).toISOString() })) }),
  };
}
