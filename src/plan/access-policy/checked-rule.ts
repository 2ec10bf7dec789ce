import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { Address } from '../../model/address.ts';
import {
  requirements,
  type AccessException,
  type AccessRules,
  type Requirement,
  type RuleSource,
  type ProofResult,
} from '../../model/exposure/access-rules.ts';
import { type Access, type Method, isReachable } from '../exposure/access.ts';
import { publicList } from '../exposure/meant-public.ts';
import { instanceName, type InstanceKey } from '../order/plan-node.ts';
import type { RequestPattern } from '../routing/request-patterns.ts';
import { routeSelector } from '../routing/route-selector.ts';
import type { RequestClass, RoutingNode } from '../routing/routing-model.ts';
import type { PlanInput } from '../input.ts';
import { methodOf } from './routing-index.ts';
import { satisfies, mayMeet } from './satisfies.ts';

/** The name of the rule that `access.public` stands for: everything that it does not list requires something. */
export const publicRule = 'public';

/** A rule in the form in which it is checked. */
export interface CheckedRule {
  readonly name: string;
  readonly source: RuleSource;
  readonly strict: boolean;
  /** The patterns of its URLs, which distinguish request classes. */
  readonly patterns: readonly RequestPattern[];
  /** One method of each sort that it applies to. */
  readonly methods: readonly string[];
  readonly exceptions: readonly AccessException[];
  /** Whether it applies to requests as they are received: at the first by where they arrive. */
  readonly appliesTo: (received: readonly [RequestClass, ...RequestClass[]]) => boolean;
  /** Where it is written, if that is known. */
  readonly placeOf: () => SourceLocation | undefined;
  /** What requests that take this way need not satisfy, although they should. */
  readonly missing: (access: Access, method: Method) => readonly Requirement[];
}

/** The rules that a plan must keep. What the repository lists as public is a hazard of plans, with a flag of its own. */
export function rulesOfPlans({ policy: { access = [] }, now }: Pick<PlanInput, 'policy' | 'now'>): CheckedRule[] {
  return checkedRules(access, now).filter(({ name, source }) => source === 'operator' || name !== publicRule);
}

/** The rules of all sources; exceptions that have ended at that time count no more. */
export function checkedRules(sets: readonly AccessRules[], now: number | undefined): CheckedRule[] {
  return sets.flatMap((set): CheckedRule[] => {
    const ruleOf = (name: string): Pick<CheckedRule, 'name' | 'source' | 'strict' | 'placeOf'> => ({
      name,
      source: set.source,
      strict: set.strict,
      placeOf: () => set.placeOf?.(name),
    });
    const named = set.rules.map(({ name, urls, require, exceptMethods }): CheckedRule => {
      const exceptions = set.exceptions.filter(({ rule }) => rule === name);
      const excepted = publicList(exceptions.filter(({ until }) => !hasEnded(until, now)).map(({ url }) => url));
      const meant = publicList(urls);
      return {
        ...ruleOf(name),
        patterns: [...meant.patterns, ...excepted.patterns],
        methods: methodsBeside(exceptMethods),
        exceptions,
        appliesTo: (received) => received.some((one) => meant.lists(one) && !excepted.lists(one)),
        missing: (access, method) => require.filter((requirement) => !satisfies(access, requirement, method)),
      };
    });
    if (set.public === undefined) return named;
    const listed = publicList(set.public);
    const open: CheckedRule = {
      ...ruleOf(publicRule),
      patterns: listed.patterns,
      methods: ['GET'],
      exceptions: [],
      appliesTo: ([received]) => !listed.lists(received),
      missing: (access, method) =>
        requirements.some((requirement) => satisfies(access, requirement, method)) ? [] : ['authentication'],
    };
    return [open, ...named];
  });
}

/** Whether the last day of an exception is over. Without a time, it is not. */
export function hasEnded(until: string, now: number | undefined): boolean {
  return now !== undefined && now >= Date.parse(`${until}T00:00:00Z`) + 86_400_000;
}

const common = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

function methodsBeside(excepted: readonly string[]): string[] {
  const any = common.find((method) => !excepted.includes(method));
  return [...(any === undefined ? [] : [any]), ...(excepted.includes('OPTIONS') ? [] : ['OPTIONS'])];
}

/** Whether a rule holds for one class of requests, and why not. */
export interface JudgedAccess {
  readonly verdict: ProofResult;
  readonly missing: readonly Requirement[];
  readonly fact?: string;
}

/** Judges what becomes of the requests of a class, sent with a method. Rules are about edges that have routes of this stack. */
export function judgeAccess(
  rule: CheckedRule,
  access: Access,
  requestClass: RequestClass,
  method: string,
  { unknownModules }: RoutingFacts,
): JudgedAccess {
  const isJudged = isReachable(access) && access.edge?.isOnlyBeside !== true;
  const missing = isJudged ? rule.missing(access, methodOf({ method })) : [];
  if (missing.length === 0 || access.matchedBy === undefined || access.route === undefined)
    return { verdict: 'holds', missing };
  const address = instanceName(access.matchedBy);
  const unproven = (fact: string): JudgedAccess => ({ verdict: 'unproven', missing, fact });
  if (access.edge?.passesThrough === true)
    return unproven('TLS is terminated at the upstream service, so sluice cannot see the access control');
  const selector = routeSelector(access.route);
  if (requestClass.unclearHosts !== undefined || selector?.isHostUnclear === true)
    return unproven('the API does not document which hosts the `match` of a route selects');
  for (const [instance, node] of [
    [access.matchedBy, access.route],
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

/** What is not known of edges and routes, so that rules may not be provable. */
export interface RoutingFacts {
  /** Why a module of an instance is not known, by its name. */
  readonly unknownModules: ReadonlyMap<InstanceKey, ReadonlyMap<string, string>>;
  /** Routes of which it is not known which requests reach them, and why. */
  readonly unplaced: readonly { readonly address: Address; readonly node: RoutingNode; readonly fact: string }[];
}

/** Nothing is unknown. */
export const allKnown: RoutingFacts = { unknownModules: new Map(), unplaced: [] };
