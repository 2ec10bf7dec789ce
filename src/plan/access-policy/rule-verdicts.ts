/*
 * Whether each rule holds for every class of requests: now, and once the steps of a plan are carried out.
 *
 *   holds        no class that the rule applies to reaches anything without what it requires
 *   broken       one does, and a request shows it
 *   not proven   what decides is not known: an edge outside the manifests, a field left to the account, TLS that is
 *                terminated upstream, a match whose host is not documented
 *
 * Between the steps of a plan, what holds before and after is kept in place class by class by the order of steps
 * (decisions/0010); rules are not checked there.
 */
import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { Address } from '../../model/address.ts';
import type { Requirement, RuleFinding, RuleVerdict, ProofResult } from '../../model/access-rules.ts';
import { isReachable, type Access, type Method } from '../exposure/access.ts';
import { reachabilityTraces, type ReachabilityTrace } from '../exposure/reachability.ts';
import type { RouteGroup } from '../exposure/request-classes.ts';
import { hostportsOf, reachOf, type RequestClass, type RoutingModel } from '../exposure/routing-model.ts';
import { instanceName, type Movement } from '../order/plan-node.ts';
import { hasEnded, type CheckedRule } from './checked-rule.ts';
import { exampleRequests } from './example-request.ts';
import { requestText, type HttpRequest } from './http-request.ts';
import { methodOf } from './method-of.ts';
import { classOfRequest, routingIndex, type RoutingIndex } from './routing-index.ts';
import type { RoutingFacts } from './routing-facts.ts';
import { mayMeet } from './satisfies.ts';

/** What rules are checked against. */
interface RuleContext {
  /** The front door at the end. */
  readonly routing: RoutingModel;
  readonly facts: RoutingFacts;
  readonly now: number | undefined;
  readonly isAllowed: (rule: CheckedRule) => boolean;
  /** Where a manifest has a route, or one of its modules. */
  readonly placeOf: (address: Address, module: string | undefined) => SourceLocation | undefined;
}

// Routes that one rule lists.
const mostFindings = 50;
// An exception that ends within so many milliseconds is reported.
const soon = 14 * 86_400_000;

/** The verdict on each rule. `movements` lead from the start of the groups to their end. */
export function ruleVerdicts(
  rules: readonly CheckedRule[],
  groups: readonly RouteGroup<Movement>[],
  context: RuleContext,
): RuleVerdict[] {
  const places = new Set([...context.routing.values()].flatMap(hostportsOf));
  for (const { start } of groups)
    for (const node of start.values()) for (const one of hostportsOf(node)) places.add(one);
  const index = routingIndex(context.routing);
  const isListening = (place: string): boolean => places.has(place);
  const traces = groups.flatMap((group) =>
    reachabilityTraces(
      group,
      group.nodes.filter(({ role }) => role !== 'prepare'),
    ),
  );
  return rules.map((rule) => {
    const found = new Map<string, Found>();
    let now: ProofResult = 'holds';
    for (const trace of traces) {
      const { requestClass } = trace.tracked;
      if (!rule.appliesTo(requestClass, isListening)) continue;
      for (const method of rule.methods) {
        const verdictIn = (access: Access): Judged => judged(rule, access, requestClass, method, context.facts);
        now = worse(now, verdictIn(trace.first).verdict);
        const after = verdictIn(trace.last);
        const holds = (access: Access): boolean => verdictIn(access).verdict === 'holds';
        if (after.verdict !== 'holds') collect(found, after, trace, method, holds);
      }
    }
    for (const one of unplacedFindings(rule, context.facts)) found.set(`unplaced ${one.address}`, one);
    return verdictOf(rule, [...found.values()], now, context, index);
  });
}

/** The verdict on one class, and why. */
interface Judged {
  readonly verdict: ProofResult;
  readonly missing: readonly Requirement[];
  readonly fact?: string;
}

function judged(
  rule: CheckedRule,
  access: Access,
  requestClass: RequestClass,
  method: string,
  { unknownModules }: RoutingFacts,
): Judged {
  const missing = isReachable(access) ? rule.missing(access, methodOf({ method })) : [];
  if (missing.length === 0 || access.catcher === undefined || access.route === undefined)
    return { verdict: 'holds', missing };
  const address = instanceName(access.catcher);
  const unproven = (fact: string): Judged => ({ verdict: 'not proven', missing, fact });
  if (access.edge?.passesThrough === true)
    return unproven('TLS is terminated upstream, where sluice sees no access control');
  const selector = access.route.kind.traffic?.selects?.(access.route.spec);
  if (requestClass.unclearHosts !== undefined || selector?.isHostUnclear === true)
    return unproven('which hosts the match of a route takes is not documented');
  for (const [instance, node] of [
    [access.catcher, access.route],
    [access.route.parent, access.edge],
  ] as const) {
    if (instance === undefined || node === undefined) continue;
    for (const [name, fact] of unknownModules.get(instance) ?? []) {
      const field = node.kind.fields[name];
      if (field?.is === 'group' && missing.some((one) => mayMeet(field, one)))
        return unproven(instanceName(instance) === address ? fact : `${fact} (${instanceName(instance)})`);
    }
  }
  return { verdict: 'broken', missing };
}

interface Found extends Omit<RuleFinding, 'request' | 'place' | 'causes'> {
  readonly causes: Set<Address>;
  readonly classes: { readonly requestClass: RequestClass; readonly method: string; readonly access: Access }[];
}

/** One finding for each route and verdict, with some classes that show it and all changes that cause it. */
function collect(
  found: Map<string, Found>,
  { verdict, missing, fact }: Judged,
  { tracked, last, moments }: ReachabilityTrace<Movement>,
  method: string,
  holds: (access: Access) => boolean,
): void {
  if (verdict === 'holds' || last.catcher === undefined) return;
  const address = instanceName(last.catcher);
  const key = `${verdict} ${address} ${fact ?? ''}`;
  const known =
    found.get(key) ??
    ({
      verdict,
      address,
      missing,
      ...(fact === undefined ? {} : { fact }),
      causes: new Set(),
      classes: [],
    } satisfies Found);
  found.set(key, known);
  if (known.classes.length < 5) known.classes.push({ requestClass: tracked.requestClass, method, access: last });
  for (const step of causesOf(moments, holds)) known.causes.add(step.address);
}

/** The step with which the rule holds no longer; where it never held, every step that changes the requests. */
function causesOf(moments: ReachabilityTrace<Movement>['moments'], holds: (moment: Access) => boolean): Movement[] {
  const last = moments.findLastIndex(holds);
  if (last !== -1) return [moments[last + 1]?.step].filter((step) => step !== undefined);
  return moments.flatMap((moment, index) => {
    const before = moments[index - 1];
    const isOther = before !== undefined && (before.route !== moment.route || before.edge !== moment.edge);
    return isOther && moment.step !== undefined ? [moment.step] : [];
  });
}

/** Routes whose requests are not known, and which do not satisfy the rule by themselves. */
function* unplacedFindings(rule: CheckedRule, { unplaced }: RoutingFacts): Generator<Found> {
  for (const { address, node, fact } of unplaced) {
    const missing = rule.missing({ reach: reachOf(node), route: node }, 'any' satisfies Method);
    if (reachOf(node) === 'nothing' || missing.length === 0 || !mayOverlap(rule, node)) continue;
    yield { verdict: 'not proven', address, missing, fact, causes: new Set(), classes: [] };
  }
}

/** Whether the path of a route and one of the rule's URLs have requests in common. */
function mayOverlap({ patterns, name }: CheckedRule, { kind, spec }: RuleContextNode): boolean {
  const selector = kind.traffic?.selects?.(spec);
  if (selector === undefined || patterns.length === 0 || name === 'public') return true;
  return patterns.some(
    ({ path, exact }) =>
      (selector.exact
        ? exact
          ? path === selector.path
          : selector.path.startsWith(path)
        : path.startsWith(selector.path)) ||
      (!exact && selector.path.startsWith(path)),
  );
}

type RuleContextNode = RoutingFacts['unplaced'][number]['node'];

function verdictOf(
  rule: CheckedRule,
  found: readonly Found[],
  now: ProofResult,
  context: RuleContext,
  index: RoutingIndex,
): RuleVerdict {
  const sorted = [...found].sort(
    (a, b) => Number(b.verdict === 'broken') - Number(a.verdict === 'broken') || (a.address < b.address ? -1 : 1),
  );
  const verdict = sorted[0]?.verdict ?? 'holds';
  const breaches = sorted.filter((one) => one.verdict === 'broken' || rule.strict);
  return {
    rule: rule.name,
    source: rule.source,
    verdict,
    now,
    isBreach: verdict === 'broken' || (verdict === 'not proven' && rule.strict),
    isAllowed: context.isAllowed(rule),
    findings: sorted.slice(0, mostFindings).map((one) => findingOf(one, rule, context, index)),
    omitted: Math.max(0, sorted.length - mostFindings),
    causes: [...new Set(breaches.flatMap(({ causes }) => [...causes]))].sort(),
    endingExceptions: rule.exceptions.flatMap((exception) => {
      const ended = hasEnded(exception.until, context.now);
      const isSoon = hasEnded(exception.until, context.now === undefined ? undefined : context.now + soon);
      return isSoon ? [{ ...exception, hasEnded: ended }] : [];
    }),
  };
}

function findingOf(
  { classes, causes, ...found }: Found,
  rule: CheckedRule,
  context: RuleContext,
  index: RoutingIndex,
): RuleFinding {
  const request = firstExample(classes, rule, index);
  const place = context.placeOf(found.address, disabledModule(classes[0]?.access, found.missing));
  return {
    ...found,
    causes: [...causes].sort(),
    ...(request === undefined ? {} : { request: requestText(request) }),
    ...(place === undefined ? {} : { place }),
  };
}

/** A request that shows a finding: the front door, asked for it alone, treats it like its class. */
function firstExample(classes: Found['classes'], rule: CheckedRule, index: RoutingIndex): HttpRequest | undefined {
  for (const { requestClass, method, access } of classes)
    for (const request of exampleRequests(requestClass, method)) {
      if (!rule.appliesTo(classOfRequest(request), index.isListening)) continue;
      const { unclearHosts } = requestClass;
      if (index.accessFor(request, unclearHosts === undefined ? {} : { unclearHosts }).catcher === access.catcher)
        return request;
    }
  return undefined;
}

/** A module that would satisfy the rule, but is disabled or empty. */
function disabledModule(access: Access | undefined, missing: readonly Requirement[]): string | undefined {
  const node = access?.route;
  if (node === undefined) return undefined;
  return Object.keys(node.spec).find((name) => {
    const field = node.kind.fields[name];
    return field?.is === 'group' && node.spec[name] !== null && missing.some((one) => mayMeet(field, one));
  });
}

function worse(a: ProofResult, b: ProofResult): ProofResult {
  if (a === 'broken' || b === 'broken') return 'broken';
  return a === 'not proven' || b === 'not proven' ? 'not proven' : 'holds';
}
