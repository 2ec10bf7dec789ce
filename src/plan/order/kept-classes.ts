import { type CheckedRule, judgeAccess, allKnown } from '../access-policy/checked-rule.ts';
import { accessOf, type Access } from '../exposure/access.ts';
import { everyReceived } from '../routing/as-received.ts';
import type { AccessControls } from '../routing/module-effects.ts';
import { backendReached } from '../routing/backend-of.ts';
import type { RouteGroup, TrackedClass } from '../routing/request-classes.ts';
import {
  accessControlsFor,
  keepsAccessControl,
  routingAfter,
  UNREACHABLE,
  type RoutingModel,
} from '../routing/routing-model.ts';

/** An access rule, for requests sent with a method. */
export interface KeptRule {
  readonly rule: CheckedRule;
  readonly method: string;
}

/** A request class with what its requests must satisfy before and after an apply, and the access rules that hold then: both must be kept during it. */
export interface KeptClass extends TrackedClass {
  readonly before: AccessControls;
  readonly after: AccessControls;
  readonly rules: readonly KeptRule[];
  /** The backends that its requests reach before and after, where they differ and other access control is required: during the apply, each requires what it does then. */
  readonly backends?: { readonly before: string; readonly after: string };
}

/** A route group with what its request classes must keep. */
export interface KeptGroup extends RouteGroup {
  readonly tracked: readonly KeptClass[];
}

/** Adds what the steps of a group must keep. */
export function keptGroup(
  group: RouteGroup,
  rules: readonly CheckedRule[],
  isListening: (hostport: string) => boolean,
): KeptGroup {
  const end = routingAfter(group.start, group.nodes);
  const tracked = group.tracked.map((plain): KeptClass => {
    const controlsIn = (routing: RoutingModel): AccessControls =>
      accessControlsFor(plain.requestClass, routing, plain.instances);
    const controls = { before: controlsIn(group.start), after: controlsIn(end) };
    const one = { ...plain, ...controls, ...backendsOf(plain, controls, group.start, end) };
    if (rules.length === 0) return { ...one, rules: [] };
    const received = everyReceived(one.requestClass, isListening);
    const applying = rules.filter((rule) => rule.appliesTo(received));
    if (applying.length === 0) return { ...one, rules: [] };
    const [first, last] = [group.start, end].map((routing) => accessOf(one.requestClass, routing, one.instances));
    const kept = applying.flatMap((rule) => rule.methods.map((method): KeptRule => ({ rule, method })));
    return { ...one, rules: kept.filter((rule) => [first, last].every((access) => isHeld(rule, one, access))) };
  });
  return { ...group, tracked };
}

function backendsOf(
  { requestClass, instances }: TrackedClass,
  { before, after }: Pick<KeptClass, 'before' | 'after'>,
  start: RoutingModel,
  end: RoutingModel,
): Pick<KeptClass, 'backends'> {
  if (before === after || before === UNREACHABLE || after === UNREACHABLE) return {};
  const [first, last] = [start, end].map((routing) => backendReached(accessOf(requestClass, routing, instances))?.id);
  if (first === undefined || last === undefined || first === last) return {};
  return { backends: { before: first, after: last } };
}

/** Whether a class loses nothing at this moment: no access control that applies before and after (law 4), and no access rule. */
export function isKept(one: KeptClass, routing: RoutingModel): boolean {
  return keepsControls(one, routing) && brokenRulesIn(one, routing).length === 0;
}

/** Whether requests must satisfy all that they must before, or all that they must after; for a backend that they reach only then, what they must then. */
export function keepsControls(
  { requestClass, instances, before, after, backends }: KeptClass,
  routing: RoutingModel,
): boolean {
  const now = accessControlsFor(requestClass, routing, instances);
  if (backends === undefined || now === UNREACHABLE) return keepsAccessControl(now, before, after);
  const id = backendReached(accessOf(requestClass, routing, instances))?.id;
  if (id === backends.before) return (now & before) === before;
  if (id === backends.after) return (now & after) === after;
  return keepsAccessControl(now, before, after);
}

/** The access rules that are broken for a class at this moment. */
export function brokenRulesIn(one: KeptClass, routing: RoutingModel): readonly KeptRule[] {
  if (one.rules.length === 0) return [];
  const access = accessOf(one.requestClass, routing, one.instances);
  return one.rules.filter((rule) => !isHeld(rule, one, access));
}

function isHeld({ rule, method }: KeptRule, { requestClass }: TrackedClass, access: Access | undefined): boolean {
  return access !== undefined && judgeAccess(rule, access, requestClass, method, allKnown).verdict === 'holds';
}
