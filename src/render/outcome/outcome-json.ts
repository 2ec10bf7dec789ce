import type { ChangeOutcome, Ending, Outcome } from '../../model/outcome.ts';
import type { OutcomeJson } from './outcome-json-schema.ts';
import { unresolvedJson } from '../plan/unresolved-creations.ts';
import { present } from '../../model/present.ts';

/** How an apply ended, as a value for JSON. */
export function outcomeJson(outcome: Outcome, exitCode: number): OutcomeJson {
  const { changes, interrupted, requests, unresolved, duplicates, stateError } = outcome;
  const count = (which: Ending): number => changes.filter(({ ending }) => ending === which).length;
  return {
    format_version: '1.0',
    exit_code: exitCode,
    interrupted,
    requests,
    summary: {
      done: count('done'),
      failed: count('failed'),
      unknown: count('unknown'),
      skipped: count('skipped'),
      not_started: count('not-started'),
    },
    unresolved_creations: unresolvedJson(unresolved),
    duplicates: duplicates.map(({ address, kind, id, otherIds }) => ({
      address,
      type: kind,
      id,
      other_ids: [...otherIds],
    })),
    ...(stateError === undefined ? {} : { state_error: stateError }),
    changes: changes.map(changeOutcomeJson),
  };
}

/** How one change ended, as a value for JSON. */
export function changeOutcomeJson(change: ChangeOutcome): OutcomeJson['changes'][number] {
  const { address, action, ending, id, partiallyApplied, message, failedDependency, code, status } = change;
  return present({
    address,
    action,
    outcome: ending,
    id,
    partially_applied: partiallyApplied === true ? (true as const) : undefined,
    message,
    failed_dependency: failedDependency,
    code,
    status,
  });
}
