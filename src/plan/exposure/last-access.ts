/*
 * For requests that are no longer reachable, state records what they had to satisfy when they were last reachable.
 * Otherwise one plan could delete a route, and a later one could create it again with less access control: each of the two
 * plans alone is harmless (decisions/0045).
 */
import { toState } from '../../derive/stored/to-state.ts';
import { isInEffect } from '../../kinds/in-effect.ts';
import type { Fields, Group, KindSet } from '../../kinds/kind.ts';
import { namedFields } from '../../kinds/named-fields.ts';
import { isSpecObject, OutsideValue, Secret, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { LastAccess, RememberedControls, State } from '../../model/state.ts';
import type { Access } from './access.ts';
import { isKnownSecret } from './other-secret.ts';
import { isFilledIn } from '../routing/filled-in.ts';
import { patternFinder, patternOfKey, type RequestPattern } from '../routing/request-patterns.ts';
import type { RequestClass, RoutingNode } from '../routing/routing-model.ts';
import { routingModules } from '../routing/routing-modules.ts';

/** The records in state, by pattern. */
export interface AccessMemory {
  readonly patterns: readonly RequestPattern[];
  /** The record for a class, if there is one. */
  readonly of: (requestClass: RequestClass) => RememberedAccess | undefined;
}

/** What a class had to satisfy when it was last reachable, and the key of the record in state. */
export interface RememberedAccess {
  readonly key: string;
  readonly accesses: readonly Access[];
}

/** Reads the records from state. */
export function accessMemory(state: State | undefined, kinds: KindSet): AccessMemory {
  const all = state?.lastAccess ?? {};
  const patterns = Object.keys(all).flatMap((key) => patternOfKey(key) ?? []);
  const bestFor = patternFinder(patterns);
  return {
    patterns,
    of: (requestClass) => {
      const key = bestFor(requestClass)?.key;
      return key === undefined ? undefined : { key, accesses: accessesOf(all[key] ?? [], kinds) };
    },
  };
}

/** What a record says that requests had to satisfy. */
export function accessesOf(record: LastAccess, kinds: KindSet): Access[] {
  return record.flatMap((last): Access[] => {
    const route = nodeOf(last.route, kinds);
    if (route === undefined) return [];
    const edge: RoutingNode | undefined =
      last.edge === undefined ? { ...route, spec: {}, passesThrough: true } : nodeOf(last.edge, kinds);
    return [{ reach: 'backend', route, ...(edge === undefined ? {} : { edge }) }];
  });
}

/** The record for state of what requests had to satisfy. */
export function toLastAccess(accesses: readonly Access[], digest: (text: string) => string): LastAccess {
  return accesses.flatMap(({ route, edge }) => {
    if (route === undefined) return [];
    const isRead = edge !== undefined && edge.passesThrough !== true;
    return [{ route: controlsOf(route, digest), ...(isRead ? { edge: controlsOf(edge, digest) } : {}) }];
  });
}

function nodeOf({ kind: name, spec }: RememberedControls, kinds: KindSet): RoutingNode | undefined {
  const kind = kinds.named(name);
  return kind === undefined ? undefined : { kind, spec, isRemembered: true };
}

function controlsOf(node: RoutingNode, digest: (text: string) => string): RememberedControls {
  const { kind, spec } = node;
  const controls = routingModules(kind).asking.flatMap(({ name, field }): [string, SpecValue][] => {
    const module = spec[name];
    if (!isInEffect(field, module)) return [];
    const written = Object.entries(module).filter(([inner]) => {
      const one = field.fields[inner];
      return one === undefined || !isFilledIn(node, one, [name, inner]);
    });
    const applied = node.applied?.[name];
    const secrets = presentedSecrets(field, [module, isSpecObject(applied) ? applied : {}]);
    return [[name, { ...withoutSecrets(field.fields, Object.fromEntries(written)), ...secrets }]];
  });
  return { kind: kind.name, spec: toState(kind.fields, Object.fromEntries(controls), digest) };
}

/** Comparisons need no secrets but those that clients present. */
function withoutSecrets(fields: Fields, module: SpecObject): SpecObject {
  return Object.fromEntries(
    Object.entries(module).flatMap(([name, value]): [string, SpecValue][] => {
      const field = fields[name];
      if (Array.isArray(value) && value.length === 0) return [];
      if (field?.is === 'leaf' && field.secret === true) return [];
      if (value instanceof Secret && !(value instanceof OutsideValue)) return [];
      const isInside = field?.is === 'group' && isSpecObject(value);
      return [[name, isInside ? withoutSecrets(field.fields, value) : value]];
    }),
  );
}

/** The secrets that clients present, from the first spec in which they are known: who has another one is let in otherwise. State has their digests. */
function presentedSecrets({ fields }: Group, specs: readonly SpecObject[]): SpecObject {
  return Object.fromEntries(
    namedFields(fields).flatMap(({ name, field }): [string, SpecValue][] => {
      if (field.is !== 'leaf' || field.presented !== true) return [];
      const known = specs.map((spec) => spec[name] ?? null).find(isKnownSecret);
      return known === undefined ? [] : [[name, known]];
    }),
  );
}
