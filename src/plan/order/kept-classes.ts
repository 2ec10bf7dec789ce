import { type CheckedRule, judgeAccess, allKnown } from '../access-policy/checked-rule.ts';
import { asText } from '../../derive/canonical.ts';
import type { AccessControl } from '../../kinds/kind.ts';
import { accessOf, controlsAsked, isOfOthers, isReachable, modulesInEffect, type Access } from '../exposure/access.ts';
import { lost } from '../exposure/access-differences.ts';
import { controlsOnly } from '../exposure/backends/backends-before.ts';
import { everyReceived } from '../routing/as-received.ts';
import type { AccessControls } from '../routing/module-effects.ts';
import { backendReached } from '../routing/backend-of.ts';
import { isNew, type PlanNode } from './plan-node.ts';
import type { RouteGroup, TrackedClass } from '../routing/request-classes.ts';
import { keepsAccessControl, routingAfter, UNREACHABLE, type RoutingModel } from '../routing/routing-model.ts';
import { accessControls } from '../routing/routing-modules.ts';

/** An access rule, for requests sent with a method. */
export interface KeptRule {
  readonly rule: CheckedRule;
  readonly method: string;
}

/** A request class with what its requests must satisfy before and after an apply, and the access rules that hold then: both must be kept during it. */
export interface KeptClass extends TrackedClass<PlanNode> {
  readonly before: AccessControls;
  readonly after: AccessControls;
  readonly rules: readonly KeptRule[];
  /** The backends that its requests reach before and after, where they differ and other access control is required: during the apply, each requires what it does then. */
  readonly backends?: { readonly before: string; readonly after: string };
  /** Where requests go before and after, if they are public neither time: during the apply, nobody has access who has none then. */
  readonly ways?: Ways;
  /** Whether an edge of others handles the requests before: as long as it does, nothing of this stack is reached. */
  readonly isTaken: boolean;
}

interface Ways {
  readonly before: Access;
  readonly after: Access;
}

/** A route group with what its request classes must keep. */
export interface KeptGroup extends RouteGroup<PlanNode> {
  readonly tracked: readonly KeptClass[];
}

/** Adds what the steps of a group must keep. */
export function keptGroup(
  group: RouteGroup<PlanNode>,
  rules: readonly CheckedRule[],
  isListening: (hostport: string) => boolean,
): KeptGroup {
  const end = routingAfter(group.start, group.nodes);
  const tracked = group.tracked.map((plain): KeptClass => {
    const { requestClass, instances } = plain;
    const first = accessOf(requestClass, group.start, instances);
    const after = accessOf(requestClass, end, instances);
    const isTaken = isOfOthers(first);
    const ways: Ways = { before: isTaken ? { reach: 'nothing' } : first, after };
    const controls = { before: controlsAsked(ways.before), after: controlsAsked(after) };
    const one = { ...plain, ...controls, ...preferencesOf(plain, controls, ways), isTaken };
    if (rules.length === 0) return { ...one, rules: [] };
    const received = everyReceived(requestClass, isListening);
    const applying = rules.filter((rule) => rule.appliesTo(received));
    const kept = applying.flatMap((rule) => rule.methods.map((method): KeptRule => ({ rule, method })));
    return { ...one, rules: kept.filter((rule) => isHeld(rule, one, first) && isHeld(rule, one, after)) };
  });
  return { ...group, tracked };
}

/** What an order of the steps also keeps if one can. */
function preferencesOf(
  { nodes }: TrackedClass,
  { before, after }: Pick<KeptClass, 'before' | 'after'>,
  ways: Ways,
): Pick<KeptClass, 'backends' | 'ways'> {
  if (nodes.length < 2) return {};
  const [first, last] = before === after ? [] : [ways.before, ways.after].map((access) => backendReached(access)?.id);
  return {
    ...(first === undefined || last === undefined || first === last
      ? {}
      : { backends: { before: first, after: last } }),
    ...(before === 0 || after === 0 || (before & after) === UNREACHABLE ? {} : { ways }),
  };
}

/** The class without what is dropped first if no order keeps it; undefined if nothing is left to drop. */
export function withLess(group: KeptGroup): KeptGroup | undefined {
  const dropped = (['ways', 'backends'] as const).find((name) => group.tracked.some((one) => one[name] !== undefined));
  if (dropped === undefined) return undefined;
  return { ...group, tracked: group.tracked.map(({ [dropped]: _, ...one }): KeptClass => one) };
}

/** Whether a class loses nothing at this moment: no access control that applies before and after (law 4), and no access rule. */
export function isKept(one: KeptClass, routing: RoutingModel): boolean {
  return keepsControls(one, routing) && brokenRulesIn(one, routing).length === 0;
}

/** Whether requests must satisfy all that they must before, or all that they must after; for a backend that they reach only then, what they must then. */
export function keepsControls(one: KeptClass, routing: RoutingModel): boolean {
  const { requestClass, instances, before, after, backends, ways, isTaken } = one;
  const access = accessOf(requestClass, routing, instances);
  if (!isReachable(access) || (isTaken && isOfOthers(access))) return true;
  const now = controlsAsked(access);
  const id = backends === undefined ? undefined : backendReached(access)?.id;
  if (id !== undefined && id === backends?.before) return (now & before) === before;
  if (id !== undefined && id === backends?.after) return (now & after) === after;
  return keepsAccessControl(now, before, after) && (ways === undefined || !letsInOthers(access, ways));
}

/** Whether clients have access whom the access controls refuse both before and after, such as those of a third route. */
function letsInOthers(now: Access, { before, after }: Ways): boolean {
  // At most moments, requests go where they go before or after.
  if (isSameWay(now, before) || isSameWay(now, after)) return false;
  // Routes that a plan creates for new URLs are created side by side.
  if (!isReachable(before) && now.matchedBy !== undefined && isNew(now.matchedBy)) return false;
  const applying = new Set(modulesInEffect(now).map(({ module }) => module));
  const areKept = (one: AccessControl, access: Access): boolean =>
    isReachable(access) &&
    modulesInEffect(access).every(({ field, module }) => field.accessControl !== one || applying.has(module));
  if (accessControls.every((one) => areKept(one, before) || areKept(one, after))) return false;
  return [before, after].every(
    (access) => !isReachable(access) || lost(controlsOnly(access), controlsOnly(now), { digest: asText }).length > 0,
  );
}

function isSameWay(one: Access, other: Access): boolean {
  return one.route?.spec === other.route?.spec && one.edge?.spec === other.edge?.spec;
}

/** The access rules that are broken for a class at this moment. */
export function brokenRulesIn(one: KeptClass, routing: RoutingModel): readonly KeptRule[] {
  if (one.rules.length === 0) return [];
  const access = accessOf(one.requestClass, routing, one.instances);
  return one.rules.filter((rule) => !isHeld(rule, one, access));
}

function isHeld({ rule, method }: KeptRule, { requestClass }: TrackedClass, access: Access): boolean {
  return judgeAccess(rule, access, requestClass, method, allKnown).verdict === 'holds';
}
