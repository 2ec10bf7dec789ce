import type { Provenance } from '../../src/kinds/kind.ts';
import { strictObject, type JsonSchema } from '../../src/derive/schema/field-schema.ts';
import { component, orNull } from './wire-schema.ts';

/** The source of a fact: the description of the API, or its completion, which a service may lack. */
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
    description: 'A reference to another resource, by its id and its URI. The URI is absolute, or only a path.',
    type: 'object',
    properties: {
      id: { description: 'The id of the referenced resource.', type: 'string' },
      uri: { description: 'The URI of the referenced resource.', type: 'string' },
    },
    required: ['id', 'uri'],
  },
  Error: {
    description: 'The error of a rejected request.',
    ...sinceOf('completed'),
    type: 'object',
    properties: {
      error_code: { description: 'The code of the error; a 404 response may have no code.', type: 'string' },
      status_code: { description: 'The HTTP status code.', type: 'integer' },
      msg: { description: 'A human-readable error message.', type: 'string' },
      details: {
        description: 'Details of the rejected request.',
        type: 'object',
        properties: {
          operation_id: {
            description: 'The id of the request, by which the operator of the service can find it.',
            type: 'string',
          },
        },
        required: ['operation_id'],
      },
    },
    required: ['status_code', 'msg', 'details'],
  },
  Command: {
    description: 'The body of a request that only starts an action: an empty JSON object.',
    ...strictObject({}),
  },
};

/** What every refusal looks like. */
export const sharedResponses: JsonSchema = {
  Refused: {
    description: 'The request was rejected, or the service failed.',
    headers: {
      'Retry-After': {
        description: 'The number of seconds to wait before the request is sent again. The header is optional.',
        schema: { type: 'string' },
      },
      Allow: {
        description: 'In a response with status 405: the HTTP methods that the path supports.',
        schema: { type: 'string' },
      },
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
      description: 'The version of the API that the client uses.',
      schema: { type: 'string', enum: ['2'] },
    },
    Limit: {
      name: 'limit',
      in: 'query',
      description: 'The maximum number of items on a page. Default: 100.',
      ...sinceOf('completed'),
      schema: { type: 'integer', minimum: 1, maximum: 100 },
    },
    BeforeId: {
      name: 'before_id',
      in: 'query',
      description:
        'The page begins after the item with this id. Clients should follow `next_page_uri` instead of setting this parameter.',
      ...sinceOf('completed'),
      schema: { type: 'string', minLength: 1 },
    },
  };
}

/** One page of a list. */
export function pageSchema(listKey: string, item: JsonSchema): JsonSchema {
  return {
    description: 'One page of a list.',
    type: 'object',
    properties: {
      [listKey]: { description: 'The items of the page.', type: 'array', items: item },
      uri: { description: 'The URI of the list.', type: 'string' },
      next_page_uri: {
        description:
          'The URI of the next page (absolute, or only a path), to be requested unchanged; null on the last page.',
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
