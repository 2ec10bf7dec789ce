import { spellings } from '../../derive/spelling/spelling.ts';
import { textsOf } from '../forms/plain.ts';
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
    const held = spec[field];
    return (typeof held === 'string' ? [held] : textsOf(held)).map((value): Claim => {
      const folded = spellings[compare].of(value);
      const where = scope === 'parent' ? (parent ?? '') : '';
      return { key: [family.name, field, where, folded].join('\n'), field, value, since };
    });
  });
}
