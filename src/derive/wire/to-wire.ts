import type { PlannedRequest } from '../../model/plan/plan.ts';
import { withLeaves } from '../../kinds/leaves.ts';
import { Ref, Secret, type SpecValue } from '../../kinds/value.ts';
import { joinMetadata } from '../marker.ts';

/** JSON as it goes over the wire. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A spec value as the API takes it: ids in place of Refs, secrets in the clear. Only for a body on its way out. */
export function toWire(value: SpecValue, idOf: (address: string) => string): Json {
  return withLeaves(value, (leaf) => {
    if (leaf instanceof Secret) return leaf.reveal();
    if (!(leaf instanceof Ref)) return leaf;
    if (leaf.field === undefined) return idOf(leaf.to);
    throw new TypeError(`the value of ${leaf.field} of ${leaf.to} is not known before the apply`);
  }) as Json;
}

/** The values of a body that only apply knows. */
export interface ApplyTimeValues {
  readonly idOf: (address: string) => string;
  readonly nonce: string;
  /** The moment that lies so many seconds ahead. */
  readonly endOf: (seconds: number) => string;
}

/** The body of a planned request: its marker joined to the user's own metadata, and with all values that only apply knows. */
export function bodyOf(
  { body: planned, marker: marking, validFor }: PlannedRequest,
  { idOf, nonce, endOf }: ApplyTimeValues,
): Json | undefined {
  if (planned === undefined) return undefined;
  const body = { ...(toWire(planned, idOf) as Record<string, Json>) };
  if (validFor !== undefined) body[validFor.field] = endOf(validFor.seconds);
  if (marking === undefined) return body;
  const { field, marker } = marking;
  const text = body[field];
  body[field] = joinMetadata(typeof text === 'string' ? text : '', marker.n === '' ? { ...marker, n: nonce } : marker);
  return body;
}
