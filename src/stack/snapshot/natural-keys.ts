import { createHmac } from 'node:crypto';
import { canonicalKey } from '../../derive/canonical.ts';
import type { Kind, Unique } from '../../kinds/kind.ts';
import type { ServedEndpoint } from '../../kinds/served-endpoint.ts';
import { textsIn } from '../../kinds/texts-in.ts';
import type { SpecObject } from '../../kinds/value.ts';

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
  return [...inScope, ...(duplicateBy === undefined ? [] : [duplicateBy])].flatMap((field) =>
    textsIn({ fields }, field, spec).map(({ leaf, path, text }) => ({
      field,
      isInList: path.length > 1,
      value: text,
      key: `${name} ${field} ${canonicalKey(leaf, text)}`,
    })),
  );
}

/** What a snapshot has of a key that is not of this stack: who guesses the key can confirm it, and nobody can read it. */
export function keyedHash(salt: string): (key: string) => string {
  return (key) => createHmac('sha256', salt).update(key).digest('base64url');
}

/** The key of an id. Files contain hashes of these keys: another spelling would find nothing in them. */
export function idKey(kind: string, id: string): string {
  return `${kind} id ${id}`;
}

/** The keys of an endpoint: its place, with and without the port. */
export function endpointKeys({ hostport }: Pick<ServedEndpoint, 'hostport'>): readonly string[] {
  const place = hostport.toLowerCase();
  return [...new Set([`endpoint ${place}`, `endpoint ${place.replace(/:\d+$/, '')}`])];
}
