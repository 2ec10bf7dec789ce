/*
 * Whether each rule holds for every class of requests: now, and once the steps of a plan are carried out.
 *
 *   holds        no class that the rule applies to reaches anything without what it requires
 *   broken       one does, and a request shows it
 *   not proven   the reason is not known: an edge outside the manifests, a field left to the account, TLS that is
 *                terminated upstream, a match whose host is not documented
 *
 * Between the steps of a plan, what holds for a class before and after is kept by their order (plan/order). Where the API
 * allows no such order, the rule is broken, temporarily.
 */
import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import { oncePer } from '../../kinds/once-per.ts';
import type { Address } from '../../model/address.ts';
import type { RuleFinding, RuleVerdict } from '../../model/exposure/access-rules.ts';
import { present } from '../../model/present.ts';
import type { Access } from '../exposure/access.ts';
import { reachabilityTraces, type ReachabilityTrace } from '../exposure/reachability.ts';
import type { RouteGroup } from '../routing/request-classes.ts';
import { hostportsOf, type RoutingModel } from '../routing/routing-model.ts';
import { everyReceived } from '../routing/as-received.ts';
import { hasEnded, type CheckedRule, judgeAccess, type JudgedAccess, type RoutingFacts } from './checked-rule.ts';
import { exampleRequests } from './example-request.ts';
import { classOfRequest, routingIndex, type RoutingIndex, requestText, type HttpRequest } from './routing-index.ts';
import { breakingChanges, disabledModule, RuleFindings, type Found, type RuleGap } from './rule-findings.ts';

interface RuleContext {
  /** The front door at the end. */
  readonly routing: RoutingModel;
  /** The front door now; undefined where only manifests are known. */
  readonly current?: RoutingModel;
  readonly facts: RoutingFacts;
  /** Where rules do not hold between the steps of a plan. */
  readonly gaps: readonly RuleGap[];
  readonly now: number | undefined;
  readonly isAllowed: (rule: CheckedRule) => boolean;
  /** Where a manifest has a route, or one of its modules. */
  readonly placeOf: (address: Address, module: string | undefined) => SourceLocation | undefined;
}

/** The same, with the front door at hand. */
interface Checking extends RuleContext {
  readonly indexOf: (routing: RoutingModel) => RoutingIndex;
  /** Whether something listens at a hostport now, or at the end. */
  readonly isListening: (hostport: string) => boolean;
}

// Routes that one rule lists.
const mostFindings = 50;
// An exception that ends within so many milliseconds is reported.
const soon = 14 * 86_400_000;

/** The verdict on each rule. `movements` lead from the start of the groups to their end. */
export function ruleVerdicts(
  rules: readonly CheckedRule[],
  groups: Iterable<RouteGroup>,
  context: RuleContext,
): RuleVerdict[] {
  const indexOf = oncePer(new Map<RoutingModel, RoutingIndex>(), routingIndex);
  const before = new Set([...(context.current?.values() ?? [])].flatMap(hostportsOf));
  const isListening = (hostport: string): boolean =>
    before.has(hostport) || indexOf(context.routing).isListening(hostport);
  const checking = { ...context, indexOf, isListening };
  const judged = rules.map((rule) => ({ rule, findings: new RuleFindings(), current: new RuleFindings() }));
  for (const group of groups) {
    const steps = group.nodes.filter(({ role }) => role !== 'prepare');
    for (const trace of reachabilityTraces(group, steps)) {
      const received = everyReceived(trace.tracked.requestClass, isListening);
      for (const one of judged) if (one.rule.appliesTo(received)) judgeTrace(trace, one, context);
    }
  }
  return judged.map(({ rule, findings, current }) => {
    findings.addUnplaced(rule, context.facts);
    for (const gap of context.gaps)
      if (gap.rule.name === rule.name && gap.rule.source === rule.source) findings.addGap(gap);
    const [later, now] = [findings.all(), current.all()];
    const place = later.length + now.length === 0 ? undefined : rule.placeOf();
    return {
      ...verdictOf(rule, later, checking),
      ...currentVerdict(rule, now, checking),
      ...(place === undefined ? {} : { place }),
    };
  });
}

function judgeTrace(
  trace: ReachabilityTrace,
  { rule, findings, current }: Readonly<Record<'findings' | 'current', RuleFindings>> & { readonly rule: CheckedRule },
  context: RuleContext,
): void {
  const { requestClass } = trace.tracked;
  for (const method of rule.methods) {
    const verdictIn = (access: Access): JudgedAccess => judgeAccess(rule, access, requestClass, method, context.facts);
    const before = verdictIn(trace.first);
    current.add(before, { requestClass, method, access: trace.first, routing: context.current }, []);
    const after = trace.last === trace.first ? before : verdictIn(trace.last);
    const holds = (access: Access): boolean => verdictIn(access).verdict === 'holds';
    if (after.verdict !== 'holds')
      findings.add(after, { requestClass, method, access: trace.last }, breakingChanges(trace, holds));
  }
}

function currentVerdict(
  rule: CheckedRule,
  found: readonly Found[],
  checking: Checking,
): Pick<RuleVerdict, 'now' | 'breachesNow'> {
  if (checking.current === undefined) return {};
  const breaches = breachesIn(found, rule).slice(0, mostFindings);
  return { now: found[0]?.verdict ?? 'holds', breachesNow: breaches.map((one) => findingOf(one, rule, checking)) };
}

function breachesIn(found: readonly Found[], { strict }: CheckedRule): readonly Found[] {
  return found.filter(({ verdict }) => verdict === 'broken' || strict);
}

function verdictOf(rule: CheckedRule, found: readonly Found[], checking: Checking): RuleVerdict {
  const verdict = found[0]?.verdict ?? 'holds';
  const breaches = breachesIn(found, rule);
  return {
    rule: rule.name,
    source: rule.source,
    verdict,
    isBreach: verdict === 'broken' || (verdict === 'unproven' && rule.strict),
    isAllowed: checking.isAllowed(rule),
    findings: found.slice(0, mostFindings).map((one) => findingOf(one, rule, checking)),
    omitted: Math.max(0, found.length - mostFindings),
    causes: [...new Set(breaches.flatMap(({ causes }) => [...causes]))].sort(),
    exceptions: rule.exceptions.map((exception) => {
      const { now: time } = checking;
      const isSoon = hasEnded(exception.until, time === undefined ? undefined : time + soon);
      return { ...exception, ends: hasEnded(exception.until, time) ? 'past' : isSoon ? 'soon' : 'later' };
    }),
  };
}

function findingOf({ classes, causes, ...found }: Found, rule: CheckedRule, checking: Checking): RuleFinding {
  const request = firstExample(classes, rule, checking);
  const place = checking.placeOf(found.address, disabledModule(classes[0]?.access, found.missing));
  return { ...found, causes: [...causes].sort(), ...present({ request: request && requestText(request), place }) };
}

/** A request that shows a finding: the front door, asked for it alone, treats it like its class. */
function firstExample(classes: Found['classes'], rule: CheckedRule, checking: Checking): HttpRequest | undefined {
  const { routing: planned, indexOf, isListening } = checking;
  for (const { requestClass, method, access, routing = planned } of classes) {
    const door = indexOf(routing);
    for (const request of exampleRequests(requestClass, method)) {
      if (!rule.appliesTo(everyReceived(classOfRequest(request), isListening))) continue;
      if (door.accessFor(request, requestClass).matchedBy === access.matchedBy) return request;
    }
  }
  return undefined;
}
