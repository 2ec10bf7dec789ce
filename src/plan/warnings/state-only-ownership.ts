import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Stack } from '../../model/stack.ts';
import type { Decision } from '../decide.ts';
import { ownershipText, stateOnlyFacts } from '../state-only.ts';

/** Facts that only state will have: they are lost if state is lost (decisions/0008). */
export function stateOnlyOwnership(decision: Decision, stack: Stack): Diagnostic[] {
  const { pair, marker } = decision;
  const { address, desired } = pair;
  if (desired === undefined) return [];
  const because =
    marker === undefined
      ? `${address} has no ownership marker`
      : `the ownership marker of ${address} cannot be updated`;
  return (stateOnlyFacts(decision, stack) ?? []).map((fact) => ({
    code: 'OWNERSHIP_IN_STATE_ONLY',
    severity: 'note',
    message: `${because}; only the state records that ${ownershipText(fact, pair)}`,
    address,
    place: desired.place,
  }));
}
