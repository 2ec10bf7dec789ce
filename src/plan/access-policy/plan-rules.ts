import type { RuleVerdict } from '../../model/exposure/access-rules.ts';
import type { Decisions } from '../decide.ts';
import { routeGroupsOf } from '../routing/request-classes.ts';
import { routingAfter } from '../routing/routing-model.ts';
import type { PlanInput } from '../input.ts';
import type { OrderedSteps } from '../order/order-changes.ts';
import { rulesOfPlans, allKnown } from './checked-rule.ts';
import { ruleVerdicts } from './rule-verdicts.ts';

/** Whether the access rules hold now, throughout a plan, and once it is carried out. Empty where none are declared. */
export function rulesOfPlan(decisions: Decisions, ordered: OrderedSteps, input: PlanInput): RuleVerdict[] {
  const { nodes, routing: now, partition, temporary } = ordered;
  const rules = rulesOfPlans(input);
  if (rules.length === 0) return [];
  const patterns = rules.flatMap((rule) => rule.patterns);
  const groups = routeGroupsOf(now, nodes, { patterns, also: new Set(now.keys()), partition });
  return ruleVerdicts(rules, groups, {
    routing: routingAfter(now, nodes),
    current: now,
    facts: allKnown,
    gaps: temporary.ruleGaps,
    now: input.now,
    // Nobody allows what the operator forbids.
    isAllowed: ({ name, source }) => source === 'repository' && input.allow?.includes(allowedRule(name)) === true,
    placeOf: (address, module) => {
      const desired = decisions.get(address)?.pair.desired;
      return module === undefined ? desired?.place : desired?.places.of([module]);
    },
  });
}

/** How a rule is named in `--allow`. */
export function allowedRule(name: string): string {
  return `rule:${name}`;
}
