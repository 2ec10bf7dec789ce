import { canonicalKey } from '../../derive/canonical.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { Actual } from '../../model/actual.ts';
import { getsNewId } from '../../model/plan/plan.ts';
import type { Decision, Decisions } from '../decide.ts';
import type { PlanInput } from '../input.ts';
import { adoptingText, otherOwner, whoseText } from '../other-owner.ts';

/** Notes of what is made although the same is there, or wanted, under another name: services take it, and one would do (decisions/0033). */
export function duplicateContent(decisions: Decisions, { account, kinds, stack }: PlanInput): Diagnostic[] {
  const there = new Map<string, Actual>();
  for (const actual of account.foreign) {
    const key = keyOf(kinds.named(actual.kind), actual.spec);
    if (key !== undefined && !there.has(key)) there.set(key, actual);
  }
  const wanted = new Map<string, Decision>();
  return [...decisions.values()].flatMap((decision): Diagnostic[] => {
    const { kind, desired, address } = decision.pair;
    const key = desired === undefined ? undefined : keyOf(kind, decision.spec);
    if (key === undefined || desired === undefined || kind.duplicateBy === undefined) return [];
    const [same, first] = [there.get(key), wanted.get(key)];
    if (first === undefined) wanted.set(key, decision);
    const isMade = getsNewId(decision.action);
    if (first === undefined && (same === undefined || !isMade)) return [];
    const place = desired.places.of([kind.duplicateBy]);
    const about = { code: 'POSSIBLE_DUPLICATE', severity: 'note', address, place } as const;
    const firstPlace = first?.pair.desired?.places.of([kind.duplicateBy]);
    if (first !== undefined && firstPlace !== undefined)
      return [
        {
          ...about,
          message: `\`${kind.duplicateBy}\` has the same value as ${first.pair.address}`,
          hint: 'reference that resource instead of creating a duplicate',
          related: [{ message: `${first.pair.address} is defined here`, place: firstPlace }],
        },
      ];
    if (same === undefined) return [];
    const owner = otherOwner(same.marker, stack);
    const orImport = owner === undefined ? `, or \`sluice import ${address} ${same.id}\`` : '';
    const message = `\`${kind.duplicateBy}\` has the same value as ${same.id}, ${whoseText(owner)}`;
    const hint = `adopt that resource instead of creating a duplicate: ${adoptingText(same.id, owner)}${orImport}`;
    return [{ ...about, message, hint }];
  });
}

function keyOf(kind: Kind | undefined, spec: SpecObject): string | undefined {
  if (kind?.duplicateBy === undefined) return undefined;
  const [field, value] = [kind.fields[kind.duplicateBy], spec[kind.duplicateBy] ?? null];
  return field === undefined || value === null ? undefined : `${kind.name} ${canonicalKey(field, value)}`;
}
