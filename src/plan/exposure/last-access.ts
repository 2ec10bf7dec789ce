/*
 * State remembers with what requests last reached something, for those that reach nothing any more: a plan that takes
 * a route away, and a later one that brings it back with less, are harmless each (decisions/0045).
 */
import { toState } from '../../derive/stored/to-state.ts';
import { isInEffect } from '../../kinds/in-effect.ts';
import { isSpecObject, OutsideValue, Secret, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { KindSet } from '../../kinds/kind-set.ts';
import type { LastAccess, RememberedControls, State } from '../../model/state.ts';
import type { Access } from './access.ts';
import { bestPattern, patternOfKey, type RequestPattern } from '../routing/request-patterns.ts';
import type { RequestClass, RoutingNode } from '../routing/routing-model.ts';
import { routingModules } from '../routing/routing-modules.ts';

/** What state remembers, by pattern. */
export interface AccessMemory {
  readonly patterns: readonly RequestPattern[];
  /** What a class had to satisfy when it last reached something, and the key under which that is stored. */
  readonly of: (requestClass: RequestClass) => RememberedAccess | undefined;
}

/** What state remembers of a class. */
export interface RememberedAccess {
  readonly key: string;
  readonly accesses: readonly Access[];
}

/** Reads what state remembers. */
export function accessMemory(state: State | undefined, kinds: KindSet): AccessMemory {
  const all = state?.lastAccess ?? {};
  const patterns = Object.keys(all).flatMap((key) => patternOfKey(key) ?? []);
  return {
    patterns,
    of: (requestClass) => {
      if (patterns.length === 0) return undefined;
      const key = bestPattern(patterns, requestClass)?.key;
      if (key === undefined) return undefined;
      const accesses = (all[key] ?? []).flatMap((last): Access[] => {
        const route = nodeOf(last.route, kinds);
        if (route === undefined) return [];
        const edge: RoutingNode | undefined =
          last.edge === undefined ? { ...route, spec: {}, passesThrough: true } : nodeOf(last.edge, kinds);
        return [{ reach: 'backend', route, ...(edge === undefined ? {} : { edge }) }];
      });
      return { key, accesses };
    },
  };
}

/** What state is to remember of what requests reached something with. */
export function toLastAccess(accesses: readonly Access[], digest: (text: string) => string): LastAccess {
  return accesses.flatMap(({ route, edge }) =>
    route === undefined
      ? []
      : [
          {
            route: controlsOf(route, digest),
            ...(edge === undefined || edge.passesThrough === true ? {} : { edge: controlsOf(edge, digest) }),
          },
        ],
  );
}

function nodeOf({ kind: name, spec }: RememberedControls, kinds: KindSet): RoutingNode | undefined {
  const kind = kinds.named(name);
  return kind === undefined ? undefined : { kind, spec, isRemembered: true };
}

function controlsOf({ kind, spec }: RoutingNode, digest: (text: string) => string): RememberedControls {
  const controls = routingModules(kind).asking.flatMap(({ name, field }): [string, SpecValue][] => {
    const module = spec[name];
    return isInEffect(field, module) ? [[name, withoutSecrets(module)]] : [];
  });
  return { kind: kind.name, spec: toState(kind.fields, Object.fromEntries(controls), digest) };
}

/** Nothing is compared by a secret, so none is kept, not even as a digest. */
function withoutSecrets(module: SpecObject): SpecObject {
  return Object.fromEntries(
    Object.entries(module).flatMap(([name, value]): [string, SpecValue][] => {
      if (value === null || (Array.isArray(value) && value.length === 0)) return [];
      if (value instanceof Secret && !(value instanceof OutsideValue)) return [];
      return [[name, isSpecObject(value) ? withoutSecrets(value) : value]];
    }),
  );
}
