import type { Provenance } from '../../kinds/kind.ts';
import { strictObject, type JsonSchema } from './field-schema.ts';
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
    description: 'A reference to another resource. Its uri may be absolute or path-only.',
    type: 'object',
    properties: {
      id: { description: 'The id of the resource.', type: 'string' },
      uri: { description: 'The URI of the resource.', type: 'string' },
    },
    required: ['id', 'uri'],
  },
  Error: {
    description: 'The error of a rejected request.',
    ...sinceOf('completed'),
    type: 'object',
    properties: {
      error_code: { description: 'A stable error code; a plain 404 has no code.', type: 'string' },
      status_code: { description: 'The HTTP status code.', type: 'integer' },
      msg: { description: 'A human-readable error message.', type: 'string' },
      details: {
        description: 'Facts about the rejected request.',
        type: 'object',
        properties: {
          operation_id: { description: 'The id of the request, for the operator of the service.', type: 'string' },
        },
        required: ['operation_id'],
      },
    },
    required: ['status_code', 'msg', 'details'],
  },
  Command: { description: 'The empty body of a command.', ...strictObject({}) },
};

/** What every refusal looks like. */
export const sharedResponses: JsonSchema = {
  Refused: {
    description: 'The request was rejected, or the service failed.',
    headers: {
      'Retry-After': { description: 'Seconds to wait before the next attempt; optional.', schema: { type: 'string' } },
      Allow: { description: 'With 405: the methods that the path supports.', schema: { type: 'string' } },
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
      description: 'The API version, sent in this header.',
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
      description: 'The id of the item before the page. Follow next_page_uri instead of computing this parameter.',
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
        description: 'The URI of the next page, absolute or path-only. Follow it unchanged. Null on the last page.',
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
