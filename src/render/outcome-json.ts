import type { Outcome } from '../model/outcome.ts';

/** How an apply ended, as a value for JSON. */
export function outcomeJson(outcome: Outcome): Readonly<Record<string, unknown>> {
  return {
    format_version: '1.0',
    interrupted: outcome.interrupted,
    requests: outcome.requests,
    changes: outcome.changes.map(({ address, action, ending, id, message, because, code, status }) => ({
      address,
      action,
      outcome: ending,
      id,
      message,
      because,
      code,
      status,
    })),
  };
}
