import { createHmac } from 'node:crypto';
import { canonicalKey } from '../../derive/canonical.ts';
import type { Kind, Unique } from '../../kinds/kind.ts';
import type { ServedEndpoint } from '../../kinds/served-endpoint.ts';
import type { SpecObject, SpecValue } from '../../kinds/value.ts';

/** A text of a resource by which it conflicts with others. */
export interface NaturalKey {
  readonly field: string;
  readonly isInList: boolean;
  readonly value: string;
  /** The same for all spellings of the value. */
  readonly key: string;
}

/** The texts of a resource that only one in the account (or in its parent) may have, or that would be made twice. */
export function naturalKeysOf(
  { name, fields, unique, duplicateBy }: Kind,
  spec: SpecObject,
  within: Unique['scope'] = 'account',
): readonly NaturalKey[] {
  const inScope = unique.filter(({ scope }) => scope === within).map(({ field }) => field);
  return [...inScope, ...(duplicateBy === undefined ? [] : [duplicateBy])].flatMap((field) => {
    const of = fields[field];
    const leaf = of?.is === 'list' ? of.of : of;
    const isInList = of?.is === 'list';
    const given: SpecValue = spec[field] ?? null;
    const values: readonly SpecValue[] = Array.isArray(given) ? given : [given];
    return values.flatMap((value) =>
      leaf === undefined || typeof value !== 'string' || value === ''
        ? []
        : [{ field, isInList, value, key: `${name} ${field} ${canonicalKey(leaf, value)}` }],
    );
  });
}

/** What a snapshot has of a key that is not of this stack: who guesses the key can confirm it, and nobody can read it. */
export function keyedHash(salt: string): (key: string) => string {
  return (key) => createHmac('sha256', salt).update(key).digest('base64url');
}

/** The key of an id. */
export function idKey(kind: string, id: string): string {
  return `${kind}\0id\0${id}`;
}

/** The keys of an endpoint: its place, with and without the port. */
export function endpointKeys({ hostport }: Pick<ServedEndpoint, 'hostport'>): readonly string[] {
  const place = hostport.toLowerCase();
  return [...new Set([`endpoint\0${place}`, `endpoint\0${place.replace(/:\d+$/, '')}`])];
}
