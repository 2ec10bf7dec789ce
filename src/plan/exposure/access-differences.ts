import type { SecretForm } from '../../derive/canonical.ts';
import type { Group } from '../../kinds/kind.ts';
import type { SpecValue } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import { instanceName } from '../order/plan-node.ts';
import { controlNames, controlsAsked, isReachable, type Access } from './access.ts';
import {
  alsoAllows,
  controlDifferences,
  type AccessDifference,
  type AddedEntries,
  type ControlDifferences,
} from './control-differences.ts';
import type { RoutingNode } from '../routing/routing-model.ts';
import { accessControlClasses, classOf, routingModules } from '../routing/routing-modules.ts';

/** For each resource, what it means that a plan changes secrets that clients use. */
export type ExchangedSecrets = ReadonlyMap<Address, readonly ControlDifferences[]>;

/** How secrets are compared, and which ones a plan exchanges. */
export interface SecretComparison {
  readonly digest: SecretForm;
  readonly exchanged?: ExchangedSecrets;
}

/** What requests had to satisfy before and not after; nothing if they are unreachable before or after. */
export function lost(before: Access, after: Access, secrets: SecretComparison): AccessDifference[] {
  if (!isReachable(before) || !isReachable(after)) return [];
  // Where a TLS version is left to the service, nobody knows what it refuses; a user agent filter without entries refuses none.
  const refusing = controlsIn(controlsAsked(before) & ~controlsAsked(after)).filter(
    ({ control }) => control !== controlNames.agent || refusesAnybody(before, control),
  );
  const wider = changedInside(before, after, secrets).flatMap((one) => one.wider);
  return [...refusing, ...distinct(wider)];
}

/** What requests have to satisfy after and not before; nothing if they are unreachable before or after. */
export function gained(before: Access, after: Access, secrets: SecretComparison): AccessDifference[] {
  if (!isReachable(before) || !isReachable(after)) return [];
  const refusing = controlsIn(controlsAsked(after) & ~controlsAsked(before)).filter(({ control }) =>
    refusesAnybody(after, control),
  );
  const narrower = changedInside(before, after, secrets).flatMap((one) => one.narrower);
  return distinct([...refusing, ...narrower]);
}

function distinct(differences: readonly AccessDifference[]): AccessDifference[] {
  return differences.length < 2 ? [...differences] : [...new Map(differences.map((one) => [one.text, one])).values()];
}

function controlsIn(controls: number): (AccessDifference & { readonly control: string })[] {
  if (controls === 0) return [];
  return accessControlClasses
    .filter((_, bit) => (controls & (1 << bit)) !== 0)
    .map((name) => ({ of: `control:${name}`, control: controlNames[name], text: controlNames[name] }));
}

/** Whether a module of this class can refuse requests: a filter without any setting refuses none. */
function refusesAnybody({ route, edge }: Access, control: string): boolean {
  return [edge, route].some(
    (node) =>
      node !== undefined &&
      routingModules(node.kind).asking.some(({ name, field }) => {
        const asked = classOf(field);
        if (asked === undefined || controlNames[asked] !== control) return false;
        return field.accessControl !== undefined || hasSettings(field, node.spec[name]);
      }),
  );
}

function hasSettings({ fields }: Group, module: SpecValue = null): boolean {
  return Object.entries(module ?? {}).some(
    ([key, value]: [string, unknown]) =>
      key !== 'enabled' &&
      value !== null &&
      !(Array.isArray(value) && value.length === 0) &&
      fields[key]?.lifecycle !== 'computed',
  );
}

/** The differences inside the controls of the route, inside those of the edge, and in the secrets that a plan exchanges on the route. */
function changedInside(before: Access, after: Access, { digest, exchanged }: SecretComparison): ControlDifferences[] {
  const found: ControlDifferences[] = [];
  const isRead = before.edge?.passesThrough !== true && after.edge?.passesThrough !== true;
  for (const part of ['route', 'edge'] as const) {
    const [old, young] = [before[part], after[part]];
    if (isRead && old !== undefined && young !== undefined && old !== young && old.kind === young.kind)
      found.push(differencesOf(old, young, digest));
  }
  if (after.matchedBy === undefined || before.matchedBy === undefined || after.route === before.route) return found;
  const route = instanceName(after.matchedBy);
  const secrets = route === instanceName(before.matchedBy) ? exchanged?.get(route) : undefined;
  return secrets === undefined ? found : [...found, ...secrets];
}

// `lost` and `gained` are called one after the other with the same nodes.
const known = new WeakMap<RoutingNode, { readonly young: RoutingNode; readonly found: ControlDifferences }>();

function differencesOf(old: RoutingNode, young: RoutingNode, digest: SecretForm): ControlDifferences {
  const last = known.get(old);
  if (last?.young === young) return last.found;
  const found = controlDifferences(old, young, digest);
  known.set(old, { young, found });
  return found;
}

/** Of entries that are added to a list, those that others have already added to it, or that nothing refused then. */
export function addedAlready(
  { of, allows: { list, entries } }: AccessDifference & { readonly allows: AddedEntries },
  earlier: readonly AccessDifference[],
): AccessDifference[] {
  const alike = earlier.filter((one) => one.of === of);
  const already = entries.filter((entry) =>
    alike.some(({ allows }) => allows === undefined || (allows.list === list && allows.entries.includes(entry))),
  );
  return already.length === 0 ? [] : [alsoAllows(of, list, already)];
}
