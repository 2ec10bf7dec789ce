import { isEnabled } from '../../kinds/checks.ts';
import { isInEffect } from '../../kinds/in-effect.ts';
import type { Group, Kind } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import { accessControlClasses, routingModules } from './routing-modules.ts';

/** What the modules of an edge or route do with requests. */
export interface ModuleEffects {
  readonly refusing: readonly ModuleInEffect[];
  readonly controls: AccessControls;
  /** Whether an access control applies to OPTIONS requests too. */
  readonly asksOptions: boolean;
  readonly reach: Reach;
}

/** A module that may refuse requests, as an edge or route has it. */
export interface ModuleInEffect {
  readonly name: string;
  readonly field: Group;
  readonly module: SpecObject;
}

/** The classes of access control and filter that a request must satisfy, as bits; one more bit where OPTIONS requests must satisfy them too. */
export type AccessControls = number;

/** What the requests of a route reach: a backend, or a traffic policy that may forward or answer them. */
export type Reach = 'nothing' | 'policy' | 'backend';

const OF_OPTIONS: AccessControls = 1 << accessControlClasses.length;

// The same node is evaluated for every request class and after every step.
const known = new WeakMap<SpecObject, ModuleEffects & { readonly kind: Kind }>();

/** What the modules of an edge or route do with requests, computed once for each spec. */
export function moduleEffects({ kind, spec }: { readonly kind: Kind; readonly spec: SpecObject }): ModuleEffects {
  const found = known.get(spec);
  if (found?.kind === kind) return found;
  const effects = { kind, ...refusalsOf(kind, spec), reach: reachOf({ kind, spec }) };
  known.set(spec, effects);
  return effects;
}

function refusalsOf(kind: Kind, spec: SpecObject): Omit<ModuleEffects, 'reach'> {
  const refusing: ModuleInEffect[] = [];
  let controls: AccessControls = 0;
  let asksOptions = false;
  for (const { name, field, bit } of routingModules(kind).asking) {
    const module = spec[name];
    if (!isInEffect(field, module)) continue;
    refusing.push({ name, field, module });
    controls |= bit;
    if (exemptsOptions(field, module)) continue;
    if (field.optionsExemption !== undefined) controls |= OF_OPTIONS;
    if (field.accessControl !== undefined) asksOptions = true;
  }
  return { refusing, controls, asksOptions };
}

/** Whether OPTIONS requests need not satisfy a module. */
export function exemptsOptions({ optionsExemption: flag }: Group, module: SpecObject): boolean {
  return flag !== undefined && module[flag] === true;
}

/** What the requests of a route reach, for callers that need nothing else of moduleEffects. */
export function reachOf({ kind, spec }: { readonly kind: Kind; readonly spec: SpecObject }): Reach {
  let reach: Reach = 'nothing';
  for (const { name, field } of routingModules(kind).reaching) {
    if (!isEnabled(spec[name])) continue;
    if (field.upstream === true) return 'backend';
    reach = 'policy';
  }
  return reach;
}
