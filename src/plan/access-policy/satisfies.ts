import { isUnset } from '../../kinds/checks.ts';
import type { AccessControl, Group } from '../../kinds/kind.ts';
import { isSpecObject, type SpecObject } from '../../kinds/value.ts';
import { requirements, type Requirement } from '../../model/exposure/access-rules.ts';
import { asks, modulesInEffect, type Access, type Method } from '../exposure/access.ts';
import type { ModuleInEffect } from '../routing/module-effects.ts';

const controlOf: Readonly<Record<Requirement, AccessControl>> = {
  authentication: 'authentication',
  named_users: 'authentication',
  client_certificate: 'client-certificate',
  signature: 'signature',
  network: 'network',
};

/** Whether requests of a method that take this way must satisfy a requirement. */
export function satisfies(access: Access, requirement: Requirement, method: Method): boolean {
  return modulesInEffect(access).some((module) => isMetBy(module, requirement, method));
}

/** All that requests of a method that take this way must satisfy. */
export function requirementsMet(access: Access, method: Method): Requirement[] {
  const modules = modulesInEffect(access);
  return requirements.filter((requirement) => modules.some((module) => isMetBy(module, requirement, method)));
}

function isMetBy({ field, module }: ModuleInEffect, requirement: Requirement, method: Method): boolean {
  if (!mayMeet(field, requirement) || !asks(field, module, method)) return false;
  return requirement !== 'named_users' || namesUsers(field, module);
}

/** Whether a field could be what a requirement asks for, were it set. */
export function mayMeet(field: Group, requirement: Requirement): boolean {
  return field.accessControl === controlOf[requirement];
}

/** Whether it lists who may pass, instead of everybody with an account. */
function namesUsers({ allowLists = [], fields }: Group, module: SpecObject): boolean {
  if (allowLists.some((name) => !isUnset(module[name]))) return true;
  // Of several providers, each lets somebody in.
  const inside = Object.entries(module).flatMap(([name, inner]) => {
    const field = fields[name];
    return field?.is === 'group' && isSpecObject(inner) ? [namesUsers(field, inner)] : [];
  });
  return inside.length > 0 && inside.every(Boolean);
}
