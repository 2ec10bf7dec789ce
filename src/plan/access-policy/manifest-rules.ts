import type { KindSet } from '../../kinds/kind-set.ts';
import type { AccessRules, RuleVerdict } from '../../model/exposure/access-rules.ts';
import type { DesiredStack } from '../../model/resource.ts';
import { routeGroupsOf } from '../routing/request-classes.ts';
import { checkedRules } from './checked-rule.ts';
import { manifestRouting } from './manifest-routing.ts';
import { ruleVerdicts } from './rule-verdicts.ts';

/** Checks the access rules against the manifests alone, without the account. */
export function rulesOfManifests(
  { resources }: DesiredStack,
  { access, kinds, now }: { readonly access: readonly AccessRules[]; readonly kinds: KindSet; readonly now: number },
): RuleVerdict[] {
  const rules = checkedRules(access, now);
  if (rules.length === 0) return [];
  const { routing, facts } = manifestRouting(resources, kinds);
  const patterns = rules.flatMap((rule) => rule.patterns);
  const groups = routeGroupsOf(routing, [], { patterns, also: new Set(routing.keys()) });
  const byAddress = new Map(resources.map((resource) => [resource.address, resource]));
  return ruleVerdicts(rules, groups, {
    routing,
    facts,
    gaps: [],
    now,
    isAllowed: () => false,
    placeOf: (address, module) => {
      const resource = byAddress.get(address);
      return module === undefined ? resource?.place : resource?.places.of([module]);
    },
  });
}
