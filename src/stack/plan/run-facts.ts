import { endings, type Outcome } from '../../model/outcome.ts';
import type { RunFacts } from '../../state/remote/run-record.ts';
import { pipelineCommit } from '../settings/pipeline-run-url.ts';
import type { StackContext } from '../stack-context.ts';

/** What the record of a run says of its outcome. */
export function runFacts(outcome: Outcome, env: StackContext['io']['env'], planText: string): RunFacts {
  const { changes, requests, interrupted } = outcome;
  const real = changes.filter(({ action }) => action !== 'none');
  const commit = pipelineCommit(env);
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
    planText,
    ...(commit === undefined ? {} : { commit }),
  };
}
