import type { ChangeOutcome, Ending, Outcome } from '../../model/outcome.ts';
import type { OutcomeJson } from './outcome-json-schema.ts';
import { unresolvedJson } from '../plan/unresolved-json.ts';

/** How an apply ended, as a value for JSON. */
export function outcomeJson(outcome: Outcome, exitCode: number): OutcomeJson {
  const { changes, interrupted, requests, unresolved, duplicates, unsaved } = outcome;
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
      'not-started': count('not-started'),
    },
    unresolved_creations: unresolvedJson(unresolved),
    duplicates: duplicates.map(({ address, kind, id, others }) => ({ address, type: kind, id, others: [...others] })),
    ...(unsaved === undefined ? {} : { unsaved }),
    changes: changes.map(changeOutcomeJson),
  };
}

/** How one change ended, as a value for JSON. */
export function changeOutcomeJson(change: ChangeOutcome): OutcomeJson['changes'][number] {
  const { address, action, ending, id, isBegun, message, because, code, status } = change;
  return {
    address,
    action,
    outcome: ending,
    ...(id === undefined ? {} : { id }),
    ...(isBegun === true ? { begun: true as const } : {}),
    ...(message === undefined ? {} : { message }),
    ...(because === undefined ? {} : { because }),
    ...(code === undefined ? {} : { code }),
    ...(status === undefined ? {} : { status }),
  };
}
