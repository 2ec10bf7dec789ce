/*
 * Law 4 decides the rest of the order: during an apply, no request gets through that would be refused both before and
 * after it; and an access rule that holds before and after holds during the apply too. Each route group is tried out on
 * the model of routing-model.ts:
 *
 *   1. A request class is *tight* if some order of the steps that touch it would let its requests through. Steps that
 *      touch no tight class may run in parallel.
 *   2. A search finds an order of the steps of the group in which every tight class keeps its access control at every
 *      moment. The steps of each tight class then run one after the other, in that order.
 *      Where an order allows it, a backend that requests reach only before, or only after, requires what it does then.
 *   3. If there is no such order, the route that would match the requests in the meantime loses its backend first, and
 *      gets it back at the end.
 *   4. If the API does not allow that either, the plan reports it: a temporary OPENS_ACCESS, or an access rule that is
 *      temporarily broken.
 */
import { hasOwnPath } from '../../derive/wire/operations.ts';
import { isEnabled } from '../../kinds/checks.ts';
import { isSpecObject } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { Hazard } from '../../model/plan/plan.ts';
import type { Decisions } from '../decide.ts';
import { existingInstance, instanceName, waitsFor, type PlanNode } from './plan-node.ts';
import type { PlanInput } from '../input.ts';
import { rulesOfPlans } from '../access-policy/checked-rule.ts';
import type { RuleGap } from '../access-policy/rule-findings.ts';
import { accessOf } from '../exposure/access.ts';
import { classUrl, distinctUrls } from '../exposure/class-url.ts';
import { inTurn, routeGroupsOf, type RouteGroup } from '../routing/request-classes.ts';
import { needsOrder, newEdgeOf } from '../exposure/new-edge.ts';
import { changesAtOnce, settledEdgeOf } from '../exposure/settled-edge.ts';
import { changeStep } from '../requests.ts';
import { moduleToWrite } from '../written-specs.ts';
import { listSome } from '../warnings/list-some.ts';
import type { RoutingPartition } from '../routing/routing-partition.ts';
import { matchingNode, partOf, routingAfter, type RoutingModel } from '../routing/routing-model.ts';
import { listeningAround } from '../routing/as-received.ts';
import {
  brokenRulesIn,
  isKept,
  keepsControls,
  keptGroup,
  withLess,
  type KeptClass,
  type KeptGroup,
} from './kept-classes.ts';
import { gapMoments, inOrder, searchOrder, waitsWithin, type AccessGap, type FoundOrder } from './search-order.ts';

/** Up to so many steps of one class, all 2^n subsets are tried. With more steps, the class counts as tight. */
const ENUMERABLE = 8;

/** What is temporarily open, because the API allows no other order. */
export interface TemporaryAccess {
  readonly hazards: readonly Hazard[];
  /** Access rules that hold before and after. */
  readonly ruleGaps: readonly RuleGap[];
}

/** Chains the steps whose order matters to access control. May add steps; returns what is temporarily open nevertheless. */
export function orderTraffic(
  { routing: now, partition }: { readonly routing: RoutingModel; readonly partition: RoutingPartition },
  decisions: Decisions,
  nodes: PlanNode[],
  input: PlanInput,
): TemporaryAccess {
  if (nodes.length === 0) return { hazards: [], ruleGaps: [] };
  const steps = inTurn(nodes);
  const rules = rulesOfPlans(input);
  const listening = rules.length === 0 ? new Set<string>() : listeningAround(now, steps);
  const patterns = rules.flatMap((rule) => rule.patterns);
  const groups = routeGroupsOf(now, steps, { patterns, partition });
  const open = new Map<Address, string[]>();
  const ruleGaps: RuleGap[] = [];
  for (const group of groups) {
    if (isAnyOrderSafe(group, rules.length > 0)) continue;
    const kept = keptGroup(group, rules, (hostport) => listening.has(hostport));
    const found = orderRouteGroup(kept, decisions, nodes, input);
    for (const { gap, routing } of gapMoments(group.start, found)) {
      const { step, tracked } = gap;
      if (!keepsControls(tracked, routing)) addToGroup(open, step.address, classUrl(tracked.requestClass));
      ruleGaps.push(...ruleGapsOf(gap, routing, () => routingAfter(now, found.order.slice(0, gap.done))));
    }
  }
  return { hazards: [...open].map(opensTemporarily), ruleGaps };
}

/** Whether no order of a group's steps can let a request through, as far as that follows without its classes. */
function isAnyOrderSafe(group: RouteGroup, hasRules: boolean): boolean {
  if (group.nodes.length < 2) return true;
  const added = hasRules ? undefined : newEdgeOf(group);
  if (added !== undefined) return !needsOrder(added);
  if (group.nodes.length > ENUMERABLE) return false;
  const settled = settledEdgeOf(group);
  return settled !== undefined && changesAtOnce(settled);
}

function orderRouteGroup(first: KeptGroup, decisions: Decisions, nodes: PlanNode[], input: PlanInput): FoundOrder {
  let routeGroup = withoutImpossible(first);
  for (let tries = routeGroup.nodes.length + 1; ; tries--) {
    const tight = routeGroup.tracked.filter((tracked) => isTight(tracked, routeGroup.start));
    if (tight.length === 0) return { order: [], gaps: [] };
    const less = withLess(routeGroup);
    const found = searchOrder(routeGroup, tight, less === undefined ? undefined : 0);
    if (found.gaps.length > 0 && less !== undefined) {
      // No order keeps that as well: what law 4 says is kept all the same.
      routeGroup = less;
      continue;
    }
    const room =
      found.gaps.length > 0 && tries > 0 ? closeMatchingRoute(found, routeGroup, decisions, input) : undefined;
    if (room === undefined) {
      chain(found.order, tight);
      return found;
    }
    nodes.push(...room);
    routeGroup = {
      ...routeGroup,
      nodes: [...routeGroup.nodes, ...room],
      tracked: routeGroup.tracked.map((tracked) => ({
        ...tracked,
        nodes: [...tracked.nodes, ...room.filter(({ effect }) => tracked.instances.has(effect.instance))],
      })),
    };
  }
}

/** The group without what no order keeps for one class alone, so that the others are kept all the same. */
function withoutImpossible(group: KeptGroup): KeptGroup {
  const isImpossible = (one: KeptClass): boolean =>
    one.ways !== undefined &&
    one.nodes.length <= ENUMERABLE &&
    isTight(one, group.start) &&
    searchOrder({ ...group, nodes: one.nodes }, [one], 0).gaps.length > 0;
  return {
    ...group,
    tracked: group.tracked.map((one): KeptClass => {
      if (!isImpossible(one)) return one;
      const { ways: _, ...rest } = one;
      return rest;
    }),
  };
}

/** Whether some order of the steps that touch a class would let its requests through. */
function isTight(tracked: KeptClass, start: RoutingModel): boolean {
  const { instances, nodes, before, after: end, backends } = tracked;
  if (nodes.length < 2 || (backends === undefined && (before === 0 || end === 0))) return false;
  if (nodes.length > ENUMERABLE) return true;
  const waits = waitsWithin(nodes);
  const steps = inOrder(waits);
  // For each step, a bit for each step that must come before it.
  const needs = steps.map((step) =>
    (waits.get(step) ?? []).reduce((bits, earlier) => bits | (1 << steps.indexOf(earlier)), 0),
  );
  // The edges of its routes have the hostport of the class, so they are among its instances.
  const own = partOf(start, instances);
  for (let subset = 1; subset < 2 ** steps.length - 1; subset++) {
    if (needs.some((bits, bit) => (subset & (1 << bit)) !== 0 && (bits & ~subset) !== 0)) continue;
    const taken = steps.filter((_, bit) => (subset & (1 << bit)) !== 0);
    if (!isKept(tracked, routingAfter(own, taken))) return true;
  }
  return false;
}

/** Makes the steps of each tight class run one after the other, in the order found. */
function chain(order: readonly PlanNode[], tight: readonly KeptClass[]): void {
  const turns = new Map(order.map((step, turn) => [step, turn]));
  for (const { nodes } of tight) {
    const mine = nodes.filter((step) => turns.has(step)).sort((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0));
    mine.forEach((step, index) => {
      const earlier = mine[index - 1];
      if (earlier !== undefined && !step.after.has(earlier))
        step.after.set(earlier, 'otherwise, requests would bypass access control during the apply');
    });
  }
}

/**
 * Removes the backend of the route that matches the requests in the meantime, and restores it at the end. Returns the
 * steps to add: none if such a step exists already and now comes earlier; undefined if there is no backend to remove.
 */
function closeMatchingRoute(
  found: FoundOrder,
  { start, nodes }: KeptGroup,
  decisions: Decisions,
  input: PlanInput,
): PlanNode[] | undefined {
  for (const { gap, routing } of gapMoments(start, found)) {
    const { tracked, step } = gap;
    const instance = matchingNode(tracked.requestClass, routing, tracked.instances);
    const decision = instance === undefined ? undefined : decisions.get(instanceName(instance));
    if (instance === undefined || decision?.pair.actual === undefined) continue;
    const { kind, address } = decision.pair;
    if (instance !== existingInstance(address)) continue;
    for (const [name, field] of Object.entries(kind.fields)) {
      if (field.is !== 'group' || field.upstream !== true || !hasOwnPath(field, input.stack.profile)) continue;
      if (!isEnabled(routing.get(instance)?.spec[name])) continue;
      const removed = { [name]: null };
      const close = changeStep(decision, 'prepare', 'DELETE', removed, {
        module: name,
        detail: `remove ${name}`,
        note: 'removed temporarily, because the route would bypass access control while other resources change',
      });
      const closed = nodes.find(({ id }) => id === close.id);
      if (closed !== undefined) {
        const opened = nodes.find(({ id }) => id === `${address} prepare restore ${name}`);
        if (comesBefore(closed, step, opened)) return [];
        continue;
      }
      step.after.set(close, 'otherwise, requests would reach another backend during the apply');
      const wanted = decision.pair.desired === undefined ? undefined : decision.spec[name];
      if (!isSpecObject(wanted)) return [close];
      const restored = { [name]: wanted };
      const again = changeStep(decision, 'prepare', 'PUT', restored, {
        module: name,
        body: moduleToWrite(decision, name, field, wanted),
        detail: `restore ${name}`,
        note: 'restores the backend of the route, which was removed temporarily',
      });
      again.after.set(close, 'the backend must be removed temporarily first');
      for (const other of found.gaps)
        if (other.step.address !== address)
          again.after.set(other.step, 'access control is complete only after that request');
      return [close, again];
    }
  }
  return undefined;
}

/** Puts a step between the two that remove and restore a backend; false if it is there already, or if the dependencies do not allow it. */
function comesBefore(closed: PlanNode, step: PlanNode, opened: PlanNode | undefined): boolean {
  if (step.after.has(closed) || (opened !== undefined && waitsFor(step, opened))) return false;
  step.after.set(closed, 'otherwise, requests would reach another backend during the apply');
  opened?.after.set(step, 'access control is complete only after that request');
  return true;
}

function opensTemporarily([address, found]: readonly [Address, readonly string[]]): Hazard {
  const urls = distinctUrls(found);
  return {
    code: 'OPENS_ACCESS',
    address,
    urls,
    message: `during the apply, requests to ${listSome(urls)} temporarily bypass access control that applies before and after the apply; the API allows no other order of changes`,
    temporary: true,
  };
}

function ruleGapsOf({ tracked, step }: AccessGap, routing: RoutingModel, then: () => RoutingModel): RuleGap[] {
  const { requestClass, instances } = tracked;
  const access = accessOf(requestClass, routing, instances);
  return brokenRulesIn(tracked, routing).map(({ rule, method }) => ({
    rule,
    cause: step.address,
    // Of many gaps only a few are shown, so the whole front door is built on demand.
    shown: {
      requestClass,
      method,
      access,
      get routing() {
        return then();
      },
    },
  }));
}
