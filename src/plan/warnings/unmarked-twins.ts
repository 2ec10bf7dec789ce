import { canonicalKey } from '../../derive/canonical.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { isUnset } from '../../kinds/checks.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import { groupBy } from '../../model/group-by.ts';
import { present } from '../../model/present.ts';
import type { Decisions } from '../decide.ts';
import type { PlanInput } from '../input.ts';

/**
 * Warnings, where there is no state, of what would be created without an ownership marker although the account has a resource without
 * one, and with the same values: a state that is lost, or at another path, may record this resource, and nothing else does.
 */
export function unmarkedTwins(decisions: Decisions, { account, state }: PlanInput): Diagnostic[] {
  if (state !== undefined) return [];
  const unmarked = groupBy(
    account.foreign.filter(({ marker }) => marker === undefined),
    ({ kind }) => kind,
  );
  const byValues = new Map<string, Map<string, string[]>>();
  return [...decisions.values()].flatMap(({ action, marker, pair: { address, kind, desired }, spec }): Diagnostic[] => {
    const others = unmarked.get(kind.name);
    if (action !== 'create' || marker !== undefined || others === undefined) return [];
    const names = comparedNames(kind, spec);
    const about = `${kind.name} ${names.join(' ')}`;
    const idsOf = byValues.get(about) ?? new Map<string, string[]>();
    if (!byValues.has(about)) {
      byValues.set(about, idsOf);
      for (const [values, same] of groupBy(others, (one) => valuesOf(kind, one.spec, names)))
        idsOf.set(
          values,
          same.map(({ id }) => id),
        );
    }
    // Each is the twin of one.
    const id = idsOf.get(valuesOf(kind, spec, names))?.shift();
    if (id === undefined) return [];
    const message = `this plan has no state, and ${id} has the same values and no ownership marker: ${id} may be this resource, and would then exist twice`;
    const hint = `if a state exists elsewhere, restore that state, or set \`state\` in sluice.yaml to its location; otherwise, if ${id} is this resource, run \`sluice state rebuild --id ${address}=${id}\``;
    const place = desired?.places.of([]);
    return [{ code: 'POSSIBLE_DUPLICATE', severity: 'warning', address, message, hint, ...present({ place }) }];
  });
}

/** Modules may have secrets that the service does not show; what has modules cannot exist twice. A field that is left to the service may have any value. */
function comparedNames(kind: Kind, spec: SpecObject): readonly string[] {
  return Object.entries(kind.fields).flatMap(([name, field]) => {
    if (field.is === 'group' || field.lifecycle === 'computed') return [];
    const isLeftToService = field.is === 'leaf' && field.default === undefined && isUnset(spec[name]);
    return isLeftToService ? [] : [name];
  });
}

function valuesOf(kind: Kind, spec: SpecObject, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => kind.fields[name] && canonicalKey(kind.fields[name], spec[name])));
}
