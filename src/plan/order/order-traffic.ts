/*
 * Law 4 decides the rest of the order: during an apply, no request gets through that would be refused both before and
 * after it; and an access rule that holds before and after holds during the apply too. Each route group is tried out on
 * the model of routing-model.ts:
 *
 *   1. A request class is *tight* if some order of the steps that touch it would let its requests through. Steps that
 *      touch no tight class may run in parallel.
 *   2. A search finds an order of the steps of the group in which every tight class keeps its access control at every
 *      moment. The steps of each tight class then run one after the other, in that order.
 *   3. If there is no such order, the route that would match the requests in the meantime loses its backend first, and
 *      gets it back at the end.
 *   4. If the API does not allow that either, the plan reports it: a temporary OPENS_ACCESS, or an access rule that is
 *      temporarily broken.
 */
import { hasOwnPath } from '../../derive/wire/operations.ts';
import { isEnabled } from '../../kinds/checks.ts';
import { isSpecObject } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import type { Hazard } from '../../model/plan/plan.ts';
import type { Decision } from '../decide.ts';
import { newInstance, existingInstance, type PlanNode } from './plan-node.ts';
import type { PlanInput } from '../input.ts';
import { rulesOfPlans } from '../access-policy/checked-rule.ts';
import type { RuleGap } from '../access-policy/rule-findings.ts';
import { accessOf } from '../exposure/access.ts';
import { classUrl } from '../exposure/class-url.ts';
import { inTurn, routeGroupsOf, type RouteGroup, type TrackedClass } from '../routing/request-classes.ts';
import { needsOrder, newEdgeOf } from '../exposure/new-edge.ts';
import { changesAtOnce, settledEdgeOf } from '../exposure/settled-edge.ts';
import { stepFor, ownPath } from '../requests.ts';
import { moduleToWrite } from '../written-specs.ts';
import type { RoutingPartition } from '../routing/routing-partition.ts';
import { applyStep, hostportsOf, matchingNode, partOf, type RoutingModel } from '../routing/routing-model.ts';
import { brokenRulesIn, isKept, keepsControls, keptGroup, type KeptClass, type KeptGroup } from './kept-classes.ts';

/** Up to so many steps of one class, all 2^n subsets are tried. With more steps, the class counts as tight. */
const ENUMERABLE = 8;

/** How many states of a route group the search may visit before it allows more gaps. */
const SEARCH_LIMIT = 5_000;

/** What is temporarily open, because the API allows no other order. */
export interface TemporaryAccess {
  readonly hazards: readonly Hazard[];
  /** Access rules that hold before and after. */
  readonly ruleGaps: readonly RuleGap[];
}

/** Chains the steps whose order matters to access control. May add steps; returns what is temporarily open nevertheless. */
export function orderTraffic(
  { routing: now, partition }: { readonly routing: RoutingModel; readonly partition: RoutingPartition },
  decisions: ReadonlyMap<Address, Decision>,
  nodes: PlanNode[],
  input: PlanInput,
): TemporaryAccess {
  if (nodes.length === 0) return { hazards: [], ruleGaps: [] };
  const steps = inTurn(nodes);
  const rules = rulesOfPlans(input);
  const listening = new Set(
    rules.length === 0 ? [] : [...now.values(), ...after(now, steps).values()].flatMap(hostportsOf),
  );
  const groups = routeGroupsOf(now, steps, {
    patterns: rules.flatMap(({ patterns }) => patterns),
    partition,
  });
  const gaps = groups.flatMap((group) => {
    if (isAnyOrderSafe(group, rules.length > 0)) return [];
    const kept = keptGroup(group, rules, (hostport) => listening.has(hostport));
    return orderRouteGroup(kept, decisions, nodes, input);
  });
  return { hazards: momentary(gaps), ruleGaps: gaps.flatMap((gap) => ruleGapsOf(gap, now)) };
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

function after(now: RoutingModel, steps: readonly PlanNode[]): RoutingModel {
  const routing = new Map(now);
  for (const { effect, kind } of steps) applyStep(routing, effect, kind);
  return routing;
}

function orderRouteGroup(
  first: KeptGroup,
  decisions: ReadonlyMap<Address, Decision>,
  nodes: PlanNode[],
  input: PlanInput,
): readonly AccessGap[] {
  let routeGroup = first;
  for (let tries = routeGroup.nodes.length + 1; ; tries--) {
    const waits = reachability(routeGroup.nodes);
    const tight = routeGroup.tracked.filter((tracked) => isTight(tracked, routeGroup.start, waits));
    if (tight.length === 0) return [];
    const found = search(routeGroup, tight, waits);
    if (found.gaps.length === 0) {
      chain(found.order, tight);
      return [];
    }
    const room = tries > 0 ? closeMatchingRoute(found, routeGroup.nodes, decisions, input) : undefined;
    if (room === undefined) {
      chain(found.order, tight);
      return found.gaps;
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

/** A moment of the apply at which a request class loses an access control or an access rule, and the step that causes it. */
interface AccessGap {
  readonly step: PlanNode;
  readonly tracked: KeptClass;
  readonly routing: RoutingModel;
  /** All steps that are done at that moment, `step` included. */
  readonly done: readonly PlanNode[];
}

interface Found {
  readonly order: readonly PlanNode[];
  readonly gaps: readonly AccessGap[];
}

interface Waits {
  readonly get: (step: PlanNode) => ReadonlySet<PlanNode>;
}

/** For each step, which others of the route group must come before it, also indirectly by steps of other groups. Computed on first use. */
function reachability(nodes: readonly PlanNode[]): Waits {
  const own = new Set(nodes);
  const known = new Map<PlanNode, ReadonlySet<PlanNode>>();
  return {
    get: (step) => {
      const all = known.get(step) ?? new Set([...earlierThan(step)].filter((other) => own.has(other)));
      known.set(step, all);
      return all;
    },
  };
}

/** All direct and indirect dependencies of a step. Not recursive: a chain may be as long as the plan. */
function earlierThan(step: PlanNode): Set<PlanNode> {
  const all = new Set(step.after.keys());
  for (const earlier of all) for (const further of earlier.after.keys()) all.add(further);
  return all;
}

/** Whether some order of the steps that touch a class would let its requests through. */
function isTight(tracked: KeptClass, start: RoutingModel, waits: Waits): boolean {
  const { instances, nodes, before, after: end } = tracked;
  if (before === 0 || end === 0 || nodes.length < 2) return false;
  if (nodes.length > ENUMERABLE) return true;
  const steps = inOrder(nodes, waits);
  // For each step, a bit for each step that must come before it.
  const needs = steps.map((step) =>
    steps.reduce((bits, other, bit) => (waits.get(step).has(other) ? bits | (1 << bit) : bits), 0),
  );
  // The edges of its routes have the hostport of the class, so they are among its instances.
  const own = partOf(start, instances);
  for (let subset = 1; subset < 2 ** steps.length - 1; subset++) {
    if (needs.some((bits, bit) => (subset & (1 << bit)) !== 0 && (bits & ~subset) !== 0)) continue;
    const routing = new Map(own);
    for (const [bit, { effect, kind }] of steps.entries())
      if ((subset & (1 << bit)) !== 0) applyStep(routing, effect, kind);
    if (!isKept(tracked, routing)) return true;
  }
  return false;
}

/**
 * Searches depth first for an order of the steps that touch a tight class. A state from which no order was found is not
 * visited again. Returns the first order without a gap; else one with more gaps allowed, four times as many each time.
 */
function search(routeGroup: RouteGroup, tight: readonly KeptClass[], waits: Waits): Found {
  const touching = new Set(tight.flatMap(({ nodes }) => nodes));
  const steps = inOrder(
    routeGroup.nodes.filter((step) => touching.has(step)),
    waits,
  );
  // The routing after the steps in `order`. A step is undone if no order continues from it.
  const routing = partOf(routeGroup.start, new Set(tight.flatMap(({ instances }) => [...instances])));
  const order: PlanNode[] = [];
  const done = new Set<PlanNode>();
  const number = new Map(steps.map((step, index) => [step, index]));
  const state = (): string =>
    order
      .map((step) => number.get(step))
      .sort((a, b) => Number(a) - Number(b))
      .join();
  const failed = new Set<string>();
  let best: Found | undefined;
  let visits = 0;
  const gapsAt = (step: PlanNode, open: readonly KeptClass[]): AccessGap[] => {
    if (open.length === 0) return [];
    const then = { step, routing: new Map(routing), done: [...order] };
    return open.map((tracked) => ({ ...then, tracked }));
  };
  const visit = (gaps: readonly AccessGap[], allowed: number): boolean => {
    if (order.length === steps.length) {
      if (best === undefined || gaps.length < best.gaps.length) best = { order: [...order], gaps };
      return true;
    }
    if ((failed.size > 0 && failed.has(state())) || visits++ > SEARCH_LIMIT) return false;
    for (const step of steps) {
      if (done.has(step) || [...waits.get(step)].some((earlier) => number.has(earlier) && !done.has(earlier))) continue;
      const { instance } = step.effect;
      const before = routing.get(instance);
      applyStep(routing, step.effect, step.kind);
      order.push(step);
      done.add(step);
      const open = tight.filter((tracked) => tracked.instances.has(instance) && !isKept(tracked, routing));
      if (gaps.length + open.length <= allowed && visit([...gaps, ...gapsAt(step, open)], allowed)) return true;
      order.pop();
      done.delete(step);
      if (before === undefined) routing.delete(instance);
      else routing.set(instance, before);
    }
    failed.add(state());
    return false;
  };
  for (let allowed = 0; best === undefined; allowed = allowed === 0 ? 1 : allowed * 4) {
    failed.clear();
    visits = 0;
    if (allowed > 1_000_000) return { order: steps, gaps: [] };
    visit([], allowed);
  }
  return best;
}

/** Sorts steps so that each comes after its dependencies, and otherwise keeps their order. */
function inOrder(nodes: readonly PlanNode[], waits: Waits): PlanNode[] {
  const left = new Set(nodes);
  const order: PlanNode[] = [];
  while (left.size > 0) {
    const next = [...left].find((step) => ![...waits.get(step)].some((earlier) => left.has(earlier)));
    if (next === undefined) return [...order, ...left];
    order.push(next);
    left.delete(next);
  }
  return order;
}

/** Makes the steps of each tight class run one after the other, in the order found. */
function chain(order: readonly PlanNode[], tight: readonly TrackedClass[]): void {
  for (const { nodes } of tight) {
    const mine = order.filter((step) => nodes.includes(step));
    mine.forEach((step, index) => {
      const earlier = mine[index - 1];
      if (earlier !== undefined && !step.after.has(earlier))
        step.after.set(earlier, 'access control must stay in effect during the apply');
    });
  }
}

/**
 * Removes the backend of the route that matches the requests in the meantime, and restores it at the end. Returns the
 * steps to add: none if such a step exists already and now comes earlier; undefined if there is no backend to remove.
 */
function closeMatchingRoute(
  { gaps }: Found,
  there: readonly PlanNode[],
  decisions: ReadonlyMap<Address, Decision>,
  input: PlanInput,
): PlanNode[] | undefined {
  for (const { tracked, routing, step } of gaps) {
    const instance = matchingNode(tracked.requestClass, routing, tracked.instances);
    const decision = [...decisions.values()].find(
      ({ pair }) => instance === existingInstance(pair.address) || instance === newInstance(pair.address),
    );
    if (
      instance === undefined ||
      decision?.pair.actual === undefined ||
      instance === newInstance(decision.pair.address)
    )
      continue;
    const { kind, address } = decision.pair;
    for (const [name, field] of Object.entries(kind.fields)) {
      const module = routing.get(instance)?.spec[name];
      if (
        field.is !== 'group' ||
        field.upstream !== true ||
        !hasOwnPath(field, input.stack.profile) ||
        !isEnabled(module)
      )
        continue;
      const close = stepFor(
        decision,
        'prepare',
        { method: 'DELETE', path: ownPath(decision, name) },
        { type: 'changes', instance, sets: { [name]: null } },
        `remove ${name}`,
        'would bypass access control while other resources change',
      );
      const closed = there.find(({ id }) => id === close.id);
      if (closed !== undefined) {
        const opened = there.find(({ id }) => id === `${address} prepare restore ${name}`);
        if (!comesBefore(closed, step, opened)) continue;
        return [];
      }
      step.after.set(close, 'requests must not reach another backend during the apply');
      const wanted = decision.pair.desired === undefined ? undefined : decision.spec[name];
      if (!isSpecObject(wanted)) return [close];
      const again = stepFor(
        decision,
        'prepare',
        { method: 'PUT', path: ownPath(decision, name), body: moduleToWrite(decision, name, field, wanted) },
        { type: 'changes', instance, sets: { [name]: wanted } },
        `restore ${name}`,
        'removed temporarily; restored after the other changes',
      );
      again.after.set(close, 'the access control must be removed first');
      for (const gap of gaps)
        if (gap.step.address !== address) again.after.set(gap.step, 'access control is incomplete until then');
      return [close, again];
    }
  }
  return undefined;
}

/** Puts a step between the two that remove and restore a backend; false if it is there already, or if the dependencies do not allow it. */
function comesBefore(closed: PlanNode, step: PlanNode, opened: PlanNode | undefined): boolean {
  if (step.after.has(closed) || step === opened || waitsFor(closed, step)) return false;
  if (opened !== undefined && waitsFor(step, opened)) return false;
  step.after.set(closed, 'requests must not reach another backend during the apply');
  opened?.after.set(step, 'access control is incomplete until then');
  return true;
}

function waitsFor(step: PlanNode, other: PlanNode): boolean {
  return step === other || earlierThan(step).has(other);
}

function momentary(gaps: readonly AccessGap[]): Hazard[] {
  const open = gaps.filter(({ tracked, routing }) => !keepsControls(tracked, routing));
  const by = new Map(open.map(({ step, tracked }) => [step.address, tracked.requestClass]));
  return [...by].map(([address, requestClass]): Hazard => ({
    code: 'OPENS_ACCESS',
    address,
    urls: [classUrl(requestClass)],
    message: `requests to ${classUrl(requestClass)} are temporarily not checked by an access control that applies before and after the apply; the API allows no other order`,
    temporary: true,
  }));
}

function ruleGapsOf({ tracked, routing, step, done }: AccessGap, now: RoutingModel): RuleGap[] {
  const { requestClass, instances } = tracked;
  const access = accessOf(requestClass, routing, instances);
  return brokenRulesIn(tracked, routing).map(({ rule, method }) => ({
    rule,
    cause: step.address,
    shown: { requestClass, method, access, routing: after(now, done) },
  }));
}
