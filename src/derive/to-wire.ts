import type { PlannedRequest } from '../model/plan.ts';
import { isSpecObject, Ref, Secret, type SpecValue } from '../kinds/value.ts';
import { joinMetadata } from './marker.ts';

/** JSON as it goes over the wire. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A spec value as the API takes it: ids in place of Refs, secrets in the clear. Only for a body on its way out. */
export function toWire(value: SpecValue, idOf: (address: string) => string): Json {
  if (value instanceof Ref) return idOf(value.to);
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map((item) => toWire(item as SpecValue, idOf));
  if (!isSpecObject(value)) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toWire(item, idOf)]));
}

/** The body of a planned request, its marker joined to the user's own metadata with the nonce given. */
export function bodyOf(request: PlannedRequest, idOf: (address: string) => string, nonce: string): Json | undefined {
  if (request.body === undefined) return undefined;
  const body = toWire(request.body, idOf) as Record<string, Json>;
  if (request.marker === undefined) return body;
  const { field, marker } = request.marker;
  const text = body[field];
  return {
    ...body,
    [field]: joinMetadata(typeof text === 'string' ? text : '', { ...marker, n: marker.n === '' ? nonce : marker.n }),
  };
}
