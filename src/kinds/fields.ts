import * as z from 'zod';
import type { Dict, Field, Fields, Group, Leaf, List, Reference } from './kind.ts';
import { withinLength } from './checks.ts';

/*
 * The vocabulary a kind is written in. Builders make a mutable, optional, described field;
 * the modifiers below change one fact of it: `required(text('...'))`, `immutable(oneOf([...], '...'))`.
 */

const plain = { lifecycle: 'mutable', since: 'described' } as const;

// Most fields share one of these, so that they are made once.
const [anyText, someText, anyFlag] = [z.string(), z.string().min(1), z.boolean()];

/** Whether a leaf takes every text, except perhaps an empty one: most do, and it takes long to ask a schema. */
export function takesAnyText({ schema }: Leaf): boolean {
  return schema === anyText || schema === someText;
}

/** Free text; absent, null and "" mean the same. */
export function text(doc: string, facts: Partial<Leaf> = {}): Leaf {
  const limit = facts.limit;
  const checks = [...(limit === undefined ? [] : [withinLength(limit.max, limit.unit)]), ...(facts.checks ?? [])];
  return { ...plain, is: 'leaf', doc, schema: anyText, compare: 'exact', default: '', ...facts, checks };
}

/** One of a closed list of words. */
export function oneOf(words: readonly [string, ...string[]], doc: string): Leaf {
  return text(doc, { schema: z.enum(words), default: undefined });
}

/** A boolean, by default false. */
export function flag(doc: string, byDefault = false): Leaf {
  return text(doc, { schema: anyFlag, default: byDefault });
}

/** A whole number from 0 to 2^32-1, or to `max`. */
export function count(doc: string, facts: Partial<Leaf> & { readonly max?: number } = {}): Leaf {
  const { max = 4_294_967_295, ...rest } = facts;
  return text(doc, { schema: z.int().min(0).max(max), default: 0, ...rest });
}

/** A number between two bounds, both allowed. */
export function share(doc: string, min: number, max: number): Leaf {
  return text(doc, { schema: z.number().min(min).max(max), compare: 'single', default: undefined });
}

/** An RFC 3339 time, compared to the second. */
export function instant(doc: string, facts: Partial<Leaf> = {}): Leaf {
  return text(doc, { schema: z.iso.datetime({ offset: true }), compare: 'instant', default: undefined, ...facts });
}

/** Text that is never shown, stored or compared in the clear. */
export function secret(doc: string, facts: Partial<Leaf> = {}): Leaf {
  return text(doc, { secret: true, ...facts });
}

/** The id of something else: `ref('backend', '...', { readAs: 'backend' })` is written `backend_id` and read as `{id, uri}`. */
export function ref(
  to: string,
  doc: string,
  facts: Partial<Leaf> & { readonly reads?: Reference['reads'] } = {},
): Leaf {
  const { reads = 'object', ...rest } = facts;
  return text(doc, { schema: someText, ref: { to, reads }, ...rest });
}

/** Ids of several other resources, as a set. */
export function refs(to: string, doc: string, readAs: string, facts: Partial<List> = {}): List {
  return setOf(ref(to, doc), doc, { readAs, ...facts });
}

/** Several values in no order. */
export function setOf(of: Leaf | Group, doc: string, facts: Partial<List> = {}): List {
  return { ...plain, is: 'list', doc, of, order: 'set', ...facts };
}

/** Free keys with values of one shape. */
export function dictOf(key: Leaf, of: Leaf, doc: string): Dict {
  return { ...plain, is: 'dict', doc, key, of };
}

/** Fields that are set together; null when not set. */
export function group(doc: string, fields: Fields, facts: Partial<Group> = {}): Group {
  return { ...plain, is: 'group', doc, fields, rules: [], ...facts };
}

/** A group that can be disabled without being removed, written and removed as a whole below its resource's path. */
export function module(
  doc: string,
  fields: Fields,
  facts: Partial<Group> & { readonly path: NonNullable<Group['path']> },
): Group {
  return group(doc, { enabled: flag('False disables the module; the default is true.', true), ...fields }, facts);
}

/** The field, in need of a value wherever its group is given. The API's description marks none. */
export function required<F extends Field>(field: F): F {
  return { ...field, required: 'completed' };
}

/** The field, fixed once the resource exists. */
export function immutable<F extends Field>(field: F): F {
  return { ...field, lifecycle: 'immutable' };
}

/** The field, only ever read. */
export function computed<F extends Field>(field: F): F {
  return { ...field, lifecycle: 'computed' };
}

/** The leaf with the value a service uses when it is not set, and other values that read back as that. */
export function byDefault(
  leaf: Leaf,
  value: string | number | boolean,
  ...alsoUnset: readonly (string | number | boolean)[]
): Leaf {
  return { ...leaf, default: value, ...(alsoUnset.length > 0 ? { alsoUnset } : {}) };
}

/** `id`, `uri` and `created_at`, which every resource has. */
export const identity = {
  id: computed(text('Id of the resource.')),
  uri: computed(text('URI of the resource in the API.')),
  created_at: computed(instant('When the resource was created.')),
} as const satisfies Fields;

/** Human-readable text of at most 255 bytes (Limits), or another limit. */
export function description(limit: Leaf['limit'] | null = { max: 255, unit: 'bytes' }): Leaf {
  return text('Description of the resource, for people.', {
    compare: 'text',
    examples: ['Public shop'],
    ...(limit === null ? {} : { limit }),
  });
}

/** Machine-readable text of at most 4096 bytes (Limits), or characters; carries the ownership marker when it is a JSON object. */
export function metadata(unit: 'bytes' | 'characters' = 'bytes'): Leaf {
  return text('Data about the resource, for programs; the service does not use it.', {
    examples: ['{"team":"web"}'],
    limit: { max: 4096, unit },
    compare: 'json',
    format: 'json',
    carriesMarker: true,
  });
}
