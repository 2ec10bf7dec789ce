import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../scripts/openapi/openapi.ts';
import { text } from '../../src/kinds/fields.ts';
import { kinds, kindSet } from '../../src/kinds/index.ts';
import { completedOperations, describedOperations } from '../contract/rows.ts';
import { documentFile, operationsOf, readDocument } from './document.ts';

const document = readDocument();
const operations = operationsOf(document);
const anonymous = (call: string): string => call.replaceAll(/\{\w+\}/g, '{}');
const callsSince = (since: string): string[] =>
  [...operations].flatMap(([call, operation]) => (operation['x-sluice-since'] === since ? [anonymous(call)] : []));

describe('the document', () => {
  it('is OpenAPI 3.1 to a validator that knows the standard, and every pointer in it leads somewhere', async () => {
    const validator = new Validator();
    expect(await validator.validate(documentFile)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(pointersIn(document).filter((pointer) => lookUp(pointer) === undefined)).toEqual([]);
  });

  it('is found out when it is broken', async () => {
    const [[path, item] = ['', {}]] = Object.entries(document.paths);
    const broken = { ...document, paths: { ...document.paths, [path]: { ...item, get: { responses: 'none' } } } };
    expect(await new Validator().validate({ ...broken })).toMatchObject({ valid: false });
  });

  it('has every described call and marks the completed ones, as the tables have them', () => {
    expect(callsSince('described').sort()).toEqual(describedOperations.map(anonymous).sort());
    const only = completedOperations.map(anonymous).filter((call) => !callsSince('described').includes(call));
    expect(callsSince('completed').sort()).toEqual(only.sort());
    for (const { summary, 'x-sluice-since': since } of operations.values())
      expect(summary.includes('(some services')).toBe(since === 'completed');
  });

  it('describes every schema, and every property that is no pointer to one', () => {
    const { schemas } = document.components;
    const lacking = Object.entries(schemas).flatMap(([name, schema]) => undescribed(schema, name));
    expect(lacking).toEqual([]);
  });

  it('names every call once, by an id that is a word in any language', () => {
    const ids = [...operations.values()].map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });

  it('asks for the bearer and the version with every call, and describes every id of a path', () => {
    expect(document).toMatchObject({ security: [{ bearer: [] }], components: { securitySchemes: { bearer: {} } } });
    // One word of a list: some generators of clients take no constant in a header.
    expect(document.components.parameters['Version']).toMatchObject({
      name: 'Example-Version',
      required: true,
      schema: { enum: ['2'] },
    });
    for (const [path, { parameters }] of Object.entries(document.paths)) {
      const [version, ...ids] = parameters as unknown as readonly { readonly name?: string; readonly $ref?: string }[];
      expect(version).toEqual({ $ref: '#/components/parameters/Version' });
      expect(ids.map(({ name }) => `{${String(name)}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
  });

  it('pages every list by limit and before_id, and tells where the next page is', () => {
    const lists = [...operations.values()].filter(({ operationId }) => operationId.startsWith('list'));
    expect(lists.length).toBeGreaterThan(1);
    for (const { parameters } of lists)
      expect(parameters).toEqual([
        { $ref: '#/components/parameters/Limit' },
        { $ref: '#/components/parameters/BeforeId' },
      ]);
  });

  it('links every call that needs an id to one that answers with it', () => {
    const responses = [...operations.values()].flatMap((operation) => Object.values(operation.responses));
    const linked = new Map(responses.flatMap(({ links = {} }) => Object.entries(links)));
    for (const [call, { operationId }] of operations) {
      const ids = [...call.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect([call, Object.keys(linked.get(operationId)?.parameters ?? {})]).toEqual([call, ids]);
    }
  });

  it('follows a kind that is new, and another vendor', () => {
    const [first] = kinds.all;
    const made = { ...first!, name: 'Widget', path: '/widgets', listKey: 'widgets', fields: { size: text('Size.') } };
    expect(openApi(kindSet([made]), 'acme')).toMatchObject({
      paths: { '/widgets': { get: { operationId: 'listWidgets' }, post: { operationId: 'createWidget' } } },
      components: {
        parameters: { Version: { name: 'Acme-Version' } },
        schemas: { WidgetCreate: { properties: { size: { type: ['string', 'null'] } } } },
      },
    });
  });
});

function pointersIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, pointer]) => String(pointer));
}

function lookUp(pointer: string): unknown {
  let found: unknown = document;
  for (const key of pointer.replace('#/', '').split('/')) found = (found as Record<string, unknown> | undefined)?.[key];
  return found;
}

/** What of a schema has no description: itself, and the properties inside it. */
function undescribed(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null || '$ref' in schema) return [];
  const { description, properties = {}, items } = schema as Schema;
  return [
    ...(description === undefined ? [path] : []),
    ...Object.entries(properties).flatMap(([name, property]) => undescribed(property, `${path}.${name}`)),
    ...propertiesOf(items).flatMap(([name, property]) => undescribed(property, `${path}[].${name}`)),
  ];
}

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly items?: unknown;
}

function propertiesOf(schema: unknown): [string, unknown][] {
  return typeof schema === 'object' && schema !== null ? Object.entries((schema as Schema).properties ?? {}) : [];
}
