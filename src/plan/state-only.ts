import { stackIdOf } from '../derive/marker.ts';
import { offers } from '../derive/wire/operations.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type OwnershipFact, getsNewId } from '../model/plan/plan.ts';
import type { Stack } from '../model/stack.ts';
import { flagsOf, type Decision } from './decide.ts';
import type { Match } from './input.ts';

/** What becomes new about the ownership of a resource and only state will record, because no marker is written (decisions/0008). Undefined: the marker records it. */
export function stateOnlyFacts({ pair, action, marker }: Decision, stack: Stack): readonly OwnershipFact[] | undefined {
  const { kind, desired, actual, movedFrom } = pair;
  if (desired === undefined || actual === undefined || getsNewId(action)) return undefined;
  if (marker !== undefined && offers(kind, stack.profile).update) return undefined;
  const [before, now] = [recordedFlags(pair, stack), flagsOf(kind, desired.lifecycle)];
  const facts: OwnershipFact[] = before === undefined ? ['owned'] : [];
  if (movedFrom !== undefined) facts.push('moved');
  if (before !== undefined && before.protect !== now.protect) facts.push(now.protect ? 'protected' : 'unprotected');
  if (before !== undefined && before.retain !== now.retain) facts.push(now.retain ? 'retained' : 'not-retained');
  return facts;
}

/** Protection and retention as state has them, or else the marker of this stack; undefined where neither knows the resource. */
function recordedFlags({ entry, actual }: Match, stack: Stack): ReturnType<typeof flagsOf> | undefined {
  if (entry !== undefined) return entry;
  const marker = actual?.marker;
  if (marker === undefined || stackIdOf(marker) !== stack.id) return undefined;
  return { protect: marker.p.includes('p'), retain: marker.p.includes('r') };
}

/** A fact as a sentence. */
export function ownershipText(fact: OwnershipFact, { movedFrom = '' }: Match): string {
  return {
    owned: 'the resource belongs to this stack',
    moved: `the resource moved from ${movedFrom}`,
    protected: 'the resource is now protected',
    unprotected: 'the resource is no longer protected',
    retained: 'the resource stays in the account when its manifest is removed',
    'not-retained': 'the resource is deleted when its manifest is removed',
  }[fact];
}

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
