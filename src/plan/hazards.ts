import type { Kind } from '../kinds/kind.ts';
import type { Actual } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import { isReplacement } from '../model/replacement.ts';
import type { Hazard } from '../model/plan.ts';
import type { Decision } from './decide.ts';
import type { PlanNode } from './order/plan-node.ts';
import type { PlanInput } from './input.ts';
import { interruptions } from './exposure/interruptions.ts';
import { accessHazards } from './exposure/access-hazards.ts';
import { countsAgainstMaxDeletes, exceedsMaxDeletes, maxDeletesText } from './policy.ts';
import { routeGroupsOf, currentRouting } from './exposure/request-classes.ts';
import { widenedAccess } from './exposure/widened-access.ts';

/** The dangers of a plan that a reviewer must see first. */
export function findHazards(
  decisions: ReadonlyMap<Address, Decision>,
  nodes: readonly PlanNode[],
  input: PlanInput,
): Hazard[] {
  const routeGroups = routeGroupsOf(currentRouting(decisions, input.account, input.kinds), nodes);
  return [
    ...accessHazards(routeGroups),
    ...[...decisions.values()].flatMap((decision) => [...wideningsOf(decision), ...hazardsOf(decision)]),
    ...interruptions(routeGroups, decisions, input.account.served),
    ...manyDeletes(decisions, input),
  ];
}

function wideningsOf(decision: Decision): Hazard[] {
  if (decision.action === 'none') return [];
  const { address } = decision.pair;
  return widenedAccess(decision).map((message) => ({ code: 'OPENS_ACCESS', address, message }));
}

function hazardsOf({ pair, action }: Decision): Hazard[] {
  const { kind, address, actual } = pair;
  const ends = action === 'delete' || isReplacement(action);
  if (ends && kind.destroys === 'address')
    return [{ code: 'LOSES_ADDRESS', address, message: lostAddress(kind, actual) }];
  if (ends && kind.destroys === 'credential')
    return [
      {
        code: 'REISSUES_CREDENTIAL',
        address,
        message:
          action === 'delete'
            ? 'the credential stops working'
            : 'a new credential is issued, and the old one stops working',
      },
    ];
  return action === 'adopt'
    ? [{ code: 'ADOPTS_EXISTING', address, message: `${pair.actual?.id ?? ''} becomes managed by this stack` }]
    : [];
}

function lostAddress(
  { clientAddress, protectedBecause = 'it cannot be recovered' }: Kind,
  actual: Actual | undefined,
): string {
  const lost =
    clientAddress === undefined ? undefined : (actual?.computed[clientAddress.by] ?? actual?.spec[clientAddress.by]);
  return typeof lost === 'string' && lost !== '' ? `${lost} is lost; ${protectedBecause}` : protectedBecause;
}

function manyDeletes(decisions: ReadonlyMap<Address, Decision>, input: PlanInput): Hazard[] {
  const going = [...decisions.values()].filter(countsAgainstMaxDeletes);
  const [first] = going;
  if (first === undefined || !exceedsMaxDeletes(going.length, input)) return [];
  const message = `${String(going.length)} of ${String(input.account.ours.size)} managed resources would be deleted; ${maxDeletesText(input)}`;
  return [{ code: 'MANY_DELETES', address: first.pair.address, message }];
}
