/*
 * Access rules checked against the edges and routes of the manifests alone, without the service. What only the account
 * shows is not known then: fields that sluice leaves alone, edges that the manifests do not define, values that are not
 * available.
 */
import { isAtOrBelow } from '../../derive/pointer.ts';
import type { Kind, KindSet } from '../../kinds/kind.ts';
import { parentIn } from '../../kinds/parent-in.ts';
import { isSpecObject, Ref, UnavailableValue, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { AccessRules, RuleVerdict } from '../../model/exposure/access-rules.ts';
import type { DesiredStack, Desired } from '../../model/resource.ts';
import { instanceName, newInstance, type InstanceKey } from '../order/plan-node.ts';
import { routeGroupsOf } from '../routing/request-classes.ts';
import { takesPartInRouting, type RoutingModel, type RoutingNode } from '../routing/routing-model.ts';
import { routingModules } from '../routing/routing-modules.ts';
import { checkedRules, type RoutingFacts } from './checked-rule.ts';
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

/** Edges and routes of manifests, and what is not known of them. */
export function manifestRouting(
  resources: readonly Desired[],
  kinds: KindSet,
): { readonly routing: RoutingModel; readonly facts: RoutingFacts } {
  const routing = new Map<InstanceKey, RoutingNode>();
  const unknownModules = new Map<InstanceKey, ReadonlyMap<string, string>>();
  const unplaced: RoutingFacts['unplaced'][number][] = [];
  const described = new Set(resources.map(({ address }) => address));
  for (const resource of resources) {
    const kind = kinds.named(resource.kind);
    if (kind === undefined || !takesPartInRouting(kind)) continue;
    const instance = newInstance(resource.address);
    const unknown = unknownFields(resource, kind);
    const spec = without(resource, kind, unknown);
    const fact = notPlaced(resource, kind, unknown, described);
    if (fact !== undefined) {
      if (kind.traffic?.selects !== undefined) unplaced.push({ address: resource.address, node: { kind, spec }, fact });
      continue;
    }
    if (unknown.size > 0) unknownModules.set(instance, unknown);
    const parent = parentIn(kind, resource.spec);
    routing.set(instance, { kind, spec, ...(parent instanceof Ref ? { parent: newInstance(parent.to) } : {}) });
  }
  for (const [instance, { parent, ...node }] of routing) {
    if (parent === undefined || routing.has(parent)) continue;
    const fact = `the manifests do not show which requests reach ${instanceName(parent)}`;
    unplaced.push({ address: instanceName(instance), node, fact });
    routing.delete(instance);
  }
  return { routing, facts: { unknownModules, unplaced } };
}

/** Decisive fields that the manifest does not decide, with the reason. */
function unknownFields({ spec, lifecycle: { ignore = [] } }: Desired, kind: Kind): ReadonlyMap<string, string> {
  return new Map(
    [...routingModules(kind).decisive].flatMap((name): [string, string][] => {
      if (ignore.some((pointer) => isAtOrBelow(pointer, [`/${name}`])))
        return [[name, `\`${name}\` is in lifecycle.ignore`]];
      return isUnavailable(kind, name, spec[name])
        ? [[name, `\`${name}\` has a value from outside the manifests that is not available here`]]
        : [];
    }),
  );
}

/** Whether a value that decides is missing where the manifests are read. */
function isUnavailable(kind: Kind, name: string, value: SpecValue | undefined): boolean {
  const isMissing = (item: unknown): boolean => item instanceof UnavailableValue;
  if (kind.fields[name]?.is === 'group') return isSpecObject(value) && isMissing(value['enabled']);
  return isMissing(value) || (Array.isArray(value) && value.some(isMissing));
}

function notPlaced(
  { spec }: Desired,
  { within, traffic }: Kind,
  unknown: ReadonlyMap<string, string>,
  described: ReadonlySet<string>,
): string | undefined {
  const routing = [traffic?.listens, ...(traffic?.selectedBy ?? [])];
  const reason = routing.flatMap((name) => (name === undefined ? [] : (unknown.get(name) ?? [])))[0];
  if (reason !== undefined || within === undefined) return reason;
  const parent = spec[within.by];
  if (parent instanceof Ref) return described.has(parent.to) ? undefined : `${parent.to} is not among the manifests`;
  return `\`${within.by}\` is the id of an edge that the manifests do not define`;
}

/** What is left to the account counts as missing, unless it may lead somewhere: then it counts as leading there. */
function without({ spec }: Desired, kind: Kind, unknown: ReadonlyMap<string, string>): SpecObject {
  const known = Object.entries(spec).filter(([name]) => !unknown.has(name));
  const leading = [...unknown.keys()].filter((name) => {
    const field = kind.fields[name];
    return field?.is === 'group' && (field.upstream === true || field.mayAnswer === true);
  });
  return { ...Object.fromEntries(known), ...Object.fromEntries(leading.map((name) => [name, {}])) };
}
