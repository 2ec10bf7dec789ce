import { compare } from '../../derive/compare.ts';
import { isAtOrBelow, pointerOf } from '../../derive/pointer.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { isInEffect } from '../../kinds/in-effect.ts';
import type { Kind, KindSet } from '../../kinds/kind.ts';
import type { Actual } from '../../model/actual.ts';
import type { Decision } from '../decide.ts';
import type { PlanInput } from '../input.ts';
import { moduleEffects } from '../routing/module-effects.ts';
import { routingModules } from '../routing/routing-modules.ts';
import type { Parents } from './broken-rules.ts';

/** Warnings of access control that a manifest sets and `lifecycle.ignore` leaves as the service has it: missing, or other than written. */
export function ignoredAccessControl(decision: Decision, parents: Parents, { kinds, digest }: PlanInput): Diagnostic[] {
  const { pair, spec } = decision;
  const { kind, desired, actual, address } = pair;
  const { ignore = [] } = desired?.lifecycle ?? {};
  if (desired === undefined || actual === undefined || ignore.length === 0) return [];
  if (!isServed(actual, kind, parents, kinds)) return [];
  return Object.entries(kind.fields).flatMap(([name, field]): Diagnostic[] => {
    const [wanted, there] = [spec[name], actual.spec[name]];
    if (field.is !== 'group' || field.accessControl === undefined || !isInEffect(field, wanted)) return [];
    const pointers = ignore.filter((pointer) => isAtOrBelow(pointer, [`/${name}`]));
    if (pointers.length === 0) return [];
    const [before, after] = [{ [name]: there ?? null }, { [name]: wanted }];
    const { changes } = compare({ [name]: field }, after, before, { entry: undefined, ignore: [], digest });
    if (!changes.some(({ path }) => isAtOrBelow(pointerOf(path), pointers))) return [];
    const how = isInEffect(field, there)
      ? 'the value in the service differs from the manifest'
      : 'the service does not apply this access control';
    const what = pointers.join(' and ');
    return [
      {
        code: 'IGNORED_ACCESS_CONTROL',
        severity: 'warning',
        address,
        place: desired.places.of([name]),
        message: `\`${name}\` controls access, and ${what} is in lifecycle.ignore: sluice does not change ${what}, and ${how}`,
        hint: `remove ${what} from lifecycle.ignore, or write the value that the service has now in the manifest`,
      },
    ];
  });
}

/** Whether requests reach the resource: its edge has a hostport, and a route also has a backend or a traffic policy. */
function isServed(actual: Actual, kind: Kind, { byId, foreignById }: Parents, kinds: KindSet): boolean {
  const { parent } = actual;
  const edge = parent === undefined ? actual : (byId.get(parent)?.pair.actual ?? foreignById.get(parent));
  const listens = kinds.named(edge?.kind ?? '')?.traffic?.listens;
  const places = listens === undefined ? undefined : edge?.spec[listens];
  if (Array.isArray(places) && places.length === 0) return false;
  return routingModules(kind).reaching.length === 0 || moduleEffects({ kind, spec: actual.spec }).reach !== 'nothing';
}
