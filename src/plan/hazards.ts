import { counted } from '../diagnostics/counted.ts';
import type { SecretForm } from '../derive/canonical.ts';
import type { Kind } from '../kinds/kind.ts';
import { stackIdOf } from '../derive/marker.ts';
import { actualValue } from '../derive/wire/actual-value.ts';
import { offers } from '../derive/wire/operations.ts';
import type { Actual } from '../model/actual.ts';
import { mapSliced, type Sliced } from '../model/sliced.ts';
import { type Hazard, isReplacement } from '../model/plan/plan.ts';
import type { DecidedPlan } from './decide-plan.ts';
import type { Decision } from './decide.ts';
import { existingInstance, type InstanceKey } from './order/plan-node.ts';
import type { PlanInput } from './input.ts';
import { interruptions } from './exposure/interruptions.ts';
import { reviewAccess, type AccessReview } from './exposure/access-hazards.ts';
import { backendsBefore } from './exposure/backends/backends-before.ts';
import { widenedAccess, widenedOutside } from './exposure/control-differences.ts';
import { driftOfRouting } from './exposure/drift-movements.ts';
import { exchangedSecrets } from './exposure/exchanged-secrets.ts';
import { idNaming, type IdNaming } from './exposure/id-naming.ts';
import { accessMemory } from './exposure/last-access.ts';
import { meantPublic } from './exposure/meant-public.ts';
import { releasedRoutes } from './exposure/released-routes.ts';
import { unreadAnswers } from './exposure/unread-answers.ts';
import { listeningAround } from './routing/as-received.ts';
import { moduleEffects } from './routing/module-effects.ts';
import { routeGroupsOf, type RouteGroup } from './routing/request-classes.ts';
import { takesPartInRouting, isPublic, type RoutingModel } from './routing/routing-model.ts';
import { countedDeletions, exceededLimit } from './policy.ts';

/** The dangers of a plan that a reviewer must see first, and what state is to remember of who could reach what. */
export function* findHazards({ decisions, changing, ordered, input }: DecidedPlan): Sliced<AccessReview> {
  const { nodes, routing: now, partition } = ordered;
  const { start, movements, unknown } = yield* driftOfRouting(now, decisions, input);
  yield;
  const memory = accessMemory(input.state, input.kinds);
  let listening: ReadonlySet<string> | undefined;
  const isListening = (hostport: string): boolean => (listening ??= listeningAround(now, nodes)).has(hostport);
  const meant = meantPublic(input.policy, isListening);
  const planned = [...routeGroupsOf(now, nodes, { partition })];
  // If only the plan distinguishes request classes, both sets of groups are the same.
  const released = releasedEdges(changing);
  const isPlanAlone =
    movements.length === 0 && memory.patterns.length === 0 && meant === undefined && released.size === 0;
  const groups: readonly RouteGroup[] = isPlanAlone
    ? planned
    : [
        ...routeGroupsOf(start, [...movements, ...nodes], {
          patterns: [...memory.patterns, ...(meant?.patterns ?? [])],
          // What is public already is reported where the repository does not list it.
          also: new Set([...released, ...(meant?.repository === undefined ? [] : publicInstances(now))]),
        }),
      ];
  yield;
  const exchanged = exchangedSecrets(changing);
  const named = idNaming(decisions, input);
  yield;
  const { digest } = input;
  const backends = backendsBefore(now, start, input);
  const review = reviewAccess(groups, { memory, backends, unknown, released, meant, digest, exchanged, named });
  const ofReleased = releasedRoutes(changing, { now, released }, input);
  const { remember, forget } = review.lastAccess;
  const own = yield* mapSliced(decisions.values(), (decision) => {
    const widenings = wideningsOf(decision, named, digest);
    if (decision.action === 'none') return widenings;
    return [...widenings, ...unmarkedDeletion(decision, input), ...hazardsOf(decision, input)];
  });
  return {
    ...review,
    lastAccess: { remember: { ...remember, ...ofReleased.remember }, forget: [...forget, ...ofReleased.forget] },
    hazards: [
      ...review.hazards,
      ...own.flat(),
      ...unreadAnswers(now, nodes, input),
      ...interruptions(planned, changing, input.account.served),
      ...manyDeletes(changing, input),
    ],
  };
}

/** Edges that a plan only removes from state. */
function releasedEdges(changing: readonly Decision[]): ReadonlySet<InstanceKey> {
  return new Set(
    changing.flatMap(({ action, pair: { address, kind, actual } }) =>
      action === 'forget' && actual !== undefined && kind.traffic?.listens !== undefined
        ? existingInstance(address)
        : [],
    ),
  );
}

function wideningsOf(decision: Decision, named: IdNaming, digest: SecretForm): Hazard[] {
  const { address, kind } = decision.pair;
  if (takesPartInRouting(kind)) return [];
  const opens = { code: 'OPENS_ACCESS', address } as const;
  const byPlan = decision.action === 'none' ? [] : widenedAccess(decision);
  const outside = widenedOutside(decision, digest).map((text) => `${named(text)} (changed outside sluice)`);
  return [
    ...byPlan.map((text) => ({ ...opens, message: named(text) })),
    ...outside.map((message) => ({ ...opens, message, causes: [] })),
  ];
}

function hazardsOf({ pair, action }: Decision, { stack }: PlanInput): Hazard[] {
  const { kind, address, actual } = pair;
  const ends = action === 'delete' || isReplacement(action);
  if (ends && kind.destroys === 'address')
    return [{ code: 'LOSES_ADDRESS', address, message: lostAddress(kind, actual) }];
  if (ends && kind.destroys === 'credential') {
    const reissued = 'a new credential is issued, and the old credential stops working';
    const message = action === 'delete' ? 'the credential stops working' : reissued;
    return [{ code: 'REISSUES_CREDENTIAL', address, message }];
  }
  return action === 'adopt' ? [{ code: 'ADOPTS_EXISTING', address, message: adopted(pair, stack.id) }] : [];
}

/** The deletion of a resource whose marker is gone. While a manifest describes the resource, the marker is written again (decisions/0008). */
function unmarkedDeletion({ pair, action, deletedWith }: Decision, { stack }: PlanInput): Hazard[] {
  const { address, kind, actual, entry, cleanup } = pair;
  // An old instance has no entry of its own.
  const wasMarked = cleanup === 'deposed' ? actual?.unmarkable !== true : entry?.nonce !== undefined;
  const mayBeMarked = stack.marker && offers(kind, stack.profile).update;
  if (action !== 'delete' || !wasMarked || !mayBeMarked || actual === undefined || actual.marker !== undefined)
    return [];
  const message = `${actual.id} is deleted although it no longer has the ownership marker of this stack: another client has removed the marker, or another stack has adopted and released the resource`;
  const causes = deletedWith === undefined ? {} : { causes: [address, deletedWith] };
  return [{ code: 'DELETES_UNMARKED', address, message, ...causes }];
}

/** Reports which stack an adopted resource is taken from, and that its protection there ends. */
function adopted({ actual, desired }: Decision['pair'], stackId: string): string {
  const becomes = `${actual?.id ?? ''} becomes managed by this stack`;
  const marker = actual?.marker;
  if (marker === undefined || stackIdOf(marker) === stackId) return becomes;
  const losesProtection = marker.p.includes('p') && desired?.lifecycle.protect === false;
  return `${becomes}, and is no longer managed by the stack ${marker.s}${losesProtection ? ', which protects the resource; this stack does not' : ''}`;
}

function lostAddress(
  { clientAddress, protectedBecause = 'the resource cannot be recovered' }: Kind,
  actual: Actual | undefined,
): string {
  const reserved = clientAddress && actual && actualValue(actual, clientAddress.by);
  return typeof reserved === 'string' ? `${reserved} is lost; ${protectedBecause}` : protectedBecause;
}

function manyDeletes(changing: readonly Decision[], input: PlanInput): Hazard[] {
  const going = countedDeletions(changing, input);
  const [first] = going;
  const limit = exceededLimit(going.length, input);
  if (first === undefined || limit === undefined) return [];
  const message = `${counted(going.length, 'managed resource')} would be deleted; ${limit.text}`;
  return [{ code: 'MANY_DELETES', address: first.pair.address, message, isOfStack: true }];
}

/** Routes that may be public now, whatever their matches: they reach something, and neither they nor their edge have an access control. */
function publicInstances(routing: RoutingModel): ReadonlySet<InstanceKey> {
  const found = new Set<InstanceKey>();
  for (const [instance, node] of routing) {
    const edge = node.parent === undefined ? undefined : routing.get(node.parent);
    if (edge === undefined || moduleEffects(node).reach === 'nothing') continue;
    if (edge.passesThrough === true || isPublic(moduleEffects(node).controls | moduleEffects(edge).controls))
      found.add(instance);
  }
  return found;
}
