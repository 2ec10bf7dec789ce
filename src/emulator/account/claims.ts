import { spellings } from '../../derive/spelling/spelling.ts';
import type { Fields } from '../../kinds/kind.ts';
import { textsOf } from '../forms/plain.ts';
import { isSpecObject, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { Family, Stored } from '../family.ts';

/** What a resource holds that no other may: the key it is indexed under, whose rule that is, and how to name it to a person. */
export interface Claim {
  readonly key: string;
  readonly field: string;
  readonly value: string;
  readonly since: 'described' | 'completed';
}

/** Every value of a resource that its kind keeps unique. */
export function claimsOf(family: Family, { parent, spec }: Pick<Stored, 'parent' | 'spec'>): Claim[] {
  return family.unique.flatMap(({ field, scope, compare, since }) => {
    return textsIn(spec[field]).map((value): Claim => {
      const folded = spellings[compare].of(value);
      const where = scope === 'parent' ? (parent ?? '') : '';
      return { key: [family.name, field, where, folded].join('\n'), field, value, since };
    });
  });
}

/** One id that a resource refers to. */
export interface StoredReference {
  readonly to: string;
  readonly id: string;
  readonly field: string;
}

/** Every id written in the fields of a resource, but for its own parent's. */
export function referencesOf(fields: Fields, spec: SpecObject): StoredReference[] {
  return Object.entries(fields).flatMap(([name, field]): StoredReference[] => {
    const value = spec[name];
    if (value === undefined || value === null) return [];
    if (field.is === 'group') return isSpecObject(value) ? referencesOf(field.fields, value) : [];
    const leaf = field.is === 'leaf' ? field : field.is === 'list' && field.of.is === 'leaf' ? field.of : undefined;
    const to = leaf?.ref?.to;
    if (to === undefined) return [];
    return textsIn(value).map((id) => ({ to, id, field: name }));
  });
}

/** The texts of a list, or the one text there is. */
function textsIn(value: SpecValue | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : textsOf(value);
}
