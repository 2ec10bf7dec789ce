/*
 * What breaks one rule, or keeps it from being proved: one finding for each route and verdict, with a request that shows
 * it and the changes that cause it.
 */
import type { Address } from '../../model/address.ts';
import type { Requirement, RuleFinding } from '../../model/exposure/access-rules.ts';
import { compareText } from '../../model/compare-text.ts';
import type { Access } from '../exposure/access.ts';
import { moduleEffects } from '../routing/module-effects.ts';
import type { ReachabilityTrace } from '../exposure/reachability.ts';
import { matchesPath } from '../routing/request-patterns.ts';
import type { RequestClass, RoutingModel, RoutingNode } from '../routing/routing-model.ts';
import { routeSelector } from '../routing/route-selector.ts';
import { instanceName } from '../order/plan-node.ts';
import { publicRule, type CheckedRule, type JudgedAccess, type RoutingFacts } from './checked-rule.ts';
import { methodOf } from './routing-index.ts';
import { mayMeet } from './satisfies.ts';

/** A finding, and classes of requests that show it. */
export interface Found extends Omit<RuleFinding, 'request' | 'place' | 'causes'> {
  readonly causes: ReadonlySet<Address>;
  readonly classes: readonly ShownClass[];
}

/** A class of requests and a method, with what becomes of them. */
export interface ShownClass {
  readonly requestClass: RequestClass;
  readonly method: string;
  readonly access: Access;
  /** The front door then, where that is not the one at the end. */
  readonly routing?: RoutingModel | undefined;
}

/** A rule that holds before and after a plan, and not in between. */
export interface RuleGap {
  readonly rule: CheckedRule;
  /** The change with which it holds no longer. */
  readonly cause: Address;
  readonly shown: ShownClass;
}

// Classes that are tried for an example.
const mostClasses = 5;

/** Collects what is found about one rule. */
export class RuleFindings {
  readonly #found = new Map<string, Found & { readonly causes: Set<Address>; readonly classes: ShownClass[] }>();

  /** Adds a class for which the rule does not hold, now or at the end. */
  add({ verdict, missing, fact }: JudgedAccess, shown: ShownClass, causes: readonly Address[]): void {
    const { matchedBy } = shown.access;
    if (verdict === 'holds' || matchedBy === undefined) return;
    const address = instanceName(matchedBy);
    const own = { verdict, address, missing, ...(fact === undefined ? {} : { fact }) };
    this.#add(`${verdict} ${address} ${fact ?? ''}`, own, shown, causes);
  }

  /** Adds a class for which the rule does not hold in between. */
  addGap({ rule, cause, shown }: RuleGap): void {
    const { matchedBy } = shown.access;
    if (matchedBy === undefined) return;
    const address = instanceName(matchedBy);
    const missing = rule.missing(shown.access, methodOf(shown));
    const own = { verdict: 'broken', temporary: true, address, missing } as const;
    this.#add(`temporary\0${address}`, own, shown, [cause]);
  }

  /** Adds the routes whose requests are not known, and which do not satisfy the rule by themselves. */
  addUnplaced(rule: CheckedRule, { unplaced }: RoutingFacts): void {
    for (const { address, node, fact } of unplaced) {
      const { reach } = moduleEffects(node);
      const missing = rule.missing({ reach, route: node }, 'any');
      if (reach === 'nothing' || missing.length === 0 || !mayOverlap(rule, node)) continue;
      const own = { verdict: 'unproven', address, missing, fact } as const;
      this.#found.set(`unplaced\0${address}`, { ...own, causes: new Set(), classes: [] });
    }
  }

  #add(key: string, own: Omit<Found, 'causes' | 'classes'>, shown: ShownClass, causes: readonly Address[]): void {
    const known = this.#found.get(key) ?? { ...own, causes: new Set(), classes: [] };
    this.#found.set(key, known);
    if (known.classes.length < mostClasses) known.classes.push(shown);
    for (const cause of causes) known.causes.add(cause);
  }

  /** What is broken first, then by address. */
  all(): readonly Found[] {
    return [...this.#found.values()].sort(
      (a, b) => Number(b.verdict === 'broken') - Number(a.verdict === 'broken') || compareText(a.address, b.address),
    );
  }
}

/** The change with which the rule holds no longer; where it never held, every change of what takes the requests. */
export function breakingChanges({ moments }: ReachabilityTrace, holds: (moment: Access) => boolean): Address[] {
  const last = moments.findLastIndex(holds);
  if (last !== -1) return [moments[last + 1]?.step].flatMap((step) => step?.address ?? []);
  return moments.flatMap((moment, index) => {
    const before = moments[index - 1];
    const isOther = before !== undefined && (before.route !== moment.route || before.edge !== moment.edge);
    return isOther && moment.step !== undefined ? [moment.step.address] : [];
  });
}

/** Whether the path of a route and one of the rule's URLs have requests in common. */
function mayOverlap({ patterns, name }: CheckedRule, node: RoutingNode): boolean {
  const selector = routeSelector(node);
  if (selector === undefined || patterns.length === 0 || name === publicRule) return true;
  return patterns.some((pattern) => matchesPath(pattern, selector.path) || matchesPath(selector, pattern.path));
}

/** A module that would satisfy the rule, but is disabled or empty. */
export function disabledModule(access: Access | undefined, missing: readonly Requirement[]): string | undefined {
  const node = access?.route;
  if (node === undefined) return undefined;
  return Object.keys(node.spec).find((name) => {
    const field = node.kind.fields[name];
    return field?.is === 'group' && node.spec[name] !== null && missing.some((one) => mayMeet(field, one));
  });
}
