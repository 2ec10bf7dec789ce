import type { Provenance } from '../../kinds/kind.ts';
import { strictObject, type JsonSchema } from './field-schema.ts';
import { component, orNull } from './wire-schema.ts';

/** Who says that something exists: the API's own description, or its completion, which a service may lack. */
export function sinceOf(since: Provenance): JsonSchema {
  return { 'x-sluice-since': since };
}

/** The pointer to a parameter among the components. */
export function parameter(name: string): JsonSchema {
  return { $ref: `#/components/parameters/${name}` };
}

/** The schemas that no family has for itself. */
export const sharedSchemas: JsonSchema = {
  Ref: {
    description: 'Points at another resource. Its uri may be absolute or path-only.',
    type: 'object',
    properties: { id: { type: 'string' }, uri: { type: 'string' } },
    required: ['id', 'uri'],
  },
  Error: {
    description: 'Why a request was refused.',
    ...sinceOf('completed'),
    type: 'object',
    properties: {
      error_code: { description: 'A stable name; a plain 404 has none.', type: 'string' },
      status_code: { description: 'The HTTP status once more.', type: 'integer' },
      msg: { description: 'What is wrong, for people.', type: 'string' },
      details: { type: 'object', properties: { operation_id: { type: 'string' } }, required: ['operation_id'] },
    },
    required: ['status_code', 'msg', 'details'],
  },
  Command: { description: 'A command has nothing to say.', ...strictObject({}) },
};

/** What every refusal looks like. */
export const sharedResponses: JsonSchema = {
  Refused: {
    description: 'The request was refused, or the service is in trouble.',
    headers: {
      'Retry-After': { description: 'Seconds to wait; may be missing.', schema: { type: 'string' } },
      Allow: { description: 'With 405: the methods that the path takes.', schema: { type: 'string' } },
    },
    content: jsonContent(component('Error')),
  },
};

/** The parameters of more than one call. The name of the version header carries the vendor's. */
export function sharedParameters(vendor: string): JsonSchema {
  return {
    Version: {
      name: `${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}-Version`,
      in: 'header',
      required: true,
      description: "The version of the API. The header's name carries the operator's.",
      schema: { type: 'string', enum: ['2'] },
    },
    Limit: {
      name: 'limit',
      in: 'query',
      description: 'The most entries on a page; 100 when left out.',
      ...sinceOf('completed'),
      schema: { type: 'integer', minimum: 1, maximum: 100 },
    },
    BeforeId: {
      name: 'before_id',
      in: 'query',
      description: 'Begins after this entry. Follow next_page_uri rather than computing it.',
      ...sinceOf('completed'),
      schema: { type: 'string', minLength: 1 },
    },
  };
}

/** One page of a list. */
export function pageSchema(listKey: string, item: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      [listKey]: { type: 'array', items: item },
      uri: { description: 'Where the list is found.', type: 'string' },
      next_page_uri: {
        description: 'Where the next page is found, absolute or path-only, to be followed as given; null on the last.',
        ...orNull({ type: 'string' }),
      },
    },
    required: [listKey, 'uri', 'next_page_uri'],
  };
}

/** A body in JSON. */
export function jsonContent(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}
