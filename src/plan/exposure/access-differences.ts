import type { SecretForm } from '../../derive/canonical.ts';
import type { Address } from '../../model/address.ts';
import { instanceName } from '../order/plan-node.ts';
import { controlNames, controlsAsked, isReachable, type Access } from './access.ts';
import {
  alsoAllows,
  controlDifferences,
  type AddedEntries,
  type ControlDifference,
  type ControlDifferences,
} from './control-differences.ts';
import type { RoutingNode } from '../routing/routing-model.ts';
import { accessControlClasses, classOf, routingModules } from '../routing/routing-modules.ts';

/** For each resource, what it means that a plan changes secrets that clients use. */
export type ExchangedSecrets = ReadonlyMap<Address, ControlDifferences>;

/** One requirement that requests no longer have to satisfy, or have to satisfy from now on. */
export interface AccessDifference {
  readonly key: string;
  /** What it is about: a class of control, a module or field, or the lists of one provider. */
  readonly of: string;
  /** The class of control, by its usual name. Undefined: the control stays, and `text` is what changes inside it. */
  readonly control?: string;
  /** The entries that a list has in addition, where that is all. */
  readonly allows?: AddedEntries;
  readonly text: string;
}

/** What requests had to satisfy before and not after; nothing if they are unreachable before or after. */
export function lost(
  before: Access,
  after: Access,
  digest: SecretForm,
  exchanged: ExchangedSecrets = new Map(),
): AccessDifference[] {
  if (!isReachable(before) || !isReachable(after)) return [];
  const gone = controlsAsked(before) & ~controlsAsked(after);
  const wider = [...inside(before, after, digest), ...secretsOf(before, after, exchanged)].flatMap((one) => one.wider);
  // Where a TLS version is left to the service, nobody knows what it refuses; a user agent filter without entries refuses none.
  const refusing = controlsIn(gone).filter(
    ({ control }) => control !== controlNames.agent || refusesAnybody(before, control),
  );
  return [...refusing, ...distinct(wider.map(asDifference))];
}

/** What requests have to satisfy after and not before; nothing if they are unreachable before or after. */
export function gained(
  before: Access,
  after: Access,
  digest: SecretForm,
  exchanged: ExchangedSecrets,
): AccessDifference[] {
  if (!isReachable(before) || !isReachable(after)) return [];
  const come = controlsAsked(after) & ~controlsAsked(before);
  const narrower = [...inside(before, after, digest), ...secretsOf(before, after, exchanged)].flatMap(
    (one) => one.narrower,
  );
  return distinct([
    ...controlsIn(come).filter(({ control }) => refusesAnybody(after, control ?? '')),
    ...narrower.map(asDifference),
  ]);
}

/** What the secrets mean that a plan exchanges on the route of the requests. */
function secretsOf(before: Access, after: Access, exchanged: ExchangedSecrets): ControlDifferences[] {
  if (after.matchedBy === undefined || before.matchedBy === undefined || after.route === before.route) return [];
  const route = instanceName(after.matchedBy);
  const found = route === instanceName(before.matchedBy) ? exchanged.get(route) : undefined;
  return found === undefined ? [] : [found];
}

function distinct(differences: readonly AccessDifference[]): AccessDifference[] {
  return differences.length < 2 ? [...differences] : [...new Map(differences.map((one) => [one.key, one])).values()];
}

function controlsIn(controls: number): AccessDifference[] {
  if (controls === 0) return [];
  return accessControlClasses
    .filter((_, bit) => (controls & (1 << bit)) !== 0)
    .map((name) => ({
      key: `control:${name}`,
      of: `control:${name}`,
      control: controlNames[name],
      text: controlNames[name],
    }));
}

/** Whether a module of this class can refuse requests: a filter without any setting refuses none. */
function refusesAnybody({ route, edge }: Access, control: string): boolean {
  return [edge, route].some(
    (node) =>
      node !== undefined &&
      routingModules(node.kind).asking.some(({ name, field }) => {
        const asked = classOf(field);
        if (asked === undefined || controlNames[asked] !== control) return false;
        if (field.accessControl !== undefined) return true;
        const set = Object.entries(node.spec[name] ?? {}).filter(
          ([key, value]: [string, unknown]) =>
            key !== 'enabled' &&
            value !== null &&
            !(Array.isArray(value) && value.length === 0) &&
            field.fields[key]?.lifecycle !== 'computed',
        );
        return set.length > 0;
      }),
  );
}

/** The differences inside the controls of the route, and inside those of the edge. */
function inside(before: Access, after: Access, digest: SecretForm): ControlDifferences[] {
  if (before.edge?.passesThrough === true || after.edge?.passesThrough === true) return [];
  const pairs = [
    [before.route, after.route],
    [before.edge, after.edge],
  ] as const;
  return pairs.flatMap(([old, young]) =>
    old === undefined || young === undefined || old === young || old.kind !== young.kind
      ? []
      : [differencesOf(old, young, digest)],
  );
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

function asDifference(one: ControlDifference): AccessDifference {
  return { key: one.text, ...one };
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
  return already.length === 0 ? [] : [asDifference(alsoAllows(of, list, already))];
}
