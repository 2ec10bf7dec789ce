import { canonicalKey } from '../derive/canonical.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Kind } from '../kinds/kind.ts';
import type { SpecObject } from '../kinds/value.ts';
import type { Address } from '../model/address.ts';
import { getsNewId } from '../model/replacement.ts';
import type { Decision } from './decide.ts';
import type { PlanInput } from './input.ts';

/** Notes of what is made although the same is there, or wanted, under another name: services take it, and one would do (decisions/0033). */
export function duplicateContent(
  decisions: ReadonlyMap<Address, Decision>,
  { account, kinds }: PlanInput,
): Diagnostic[] {
  const there = new Map<string, string>();
  for (const { kind: name, id, spec } of account.foreign) {
    const key = keyOf(kinds.named(name), spec);
    if (key !== undefined && !there.has(key)) there.set(key, id);
  }
  const wanted = new Map<string, Decision>();
  return [...decisions.values()].flatMap((decision): Diagnostic[] => {
    const { kind, desired, address } = decision.pair;
    const key = desired === undefined ? undefined : keyOf(kind, decision.spec);
    if (key === undefined || desired === undefined || kind.duplicateBy === undefined) return [];
    const [id, twin] = [there.get(key), wanted.get(key)];
    if (twin === undefined) wanted.set(key, decision);
    const isMade = getsNewId(decision.action);
    if (twin === undefined && (id === undefined || !isMade)) return [];
    const about = {
      code: 'POSSIBLE_DUPLICATE',
      severity: 'note',
      address,
      place: desired.placeOf([kind.duplicateBy]),
    } as const;
    const twinPlace = twin?.pair.desired?.placeOf([kind.duplicateBy]);
    if (twin !== undefined && twinPlace !== undefined)
      return [
        {
          ...about,
          message: `\`${kind.duplicateBy}\` is the same as that of ${twin.pair.address}`,
          hint: 'one would do: refer to that',
          related: [{ message: `${twin.pair.address} is here`, place: twinPlace }],
        },
      ];
    if (id === undefined) return [];
    const hint = `one would do: take it over with lifecycle.adopt: ${id}`;
    return [
      { ...about, message: `\`${kind.duplicateBy}\` is the same as that of ${id}, which is not of this stack`, hint },
    ];
  });
}

function keyOf(kind: Kind | undefined, spec: SpecObject): string | undefined {
  const field = kind?.duplicateBy === undefined ? undefined : kind.fields[kind.duplicateBy];
  const value = kind?.duplicateBy === undefined ? undefined : spec[kind.duplicateBy];
  return kind === undefined || field === undefined || value === undefined || value === null
    ? undefined
    : `${kind.name} ${canonicalKey(field, value)}`;
}
