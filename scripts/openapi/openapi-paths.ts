import type { Group, Kind, Provenance, View } from '../../src/kinds/kind.ts';
import { plural } from '../../src/derive/explain/kind-words.ts';
import type { JsonSchema } from '../../src/derive/schema/field-schema.ts';
import { jsonContent, parameter, sinceOf } from './openapi-components.ts';
import { component } from './wire-schema.ts';

/** A kind, or a view. */
export type ApiFamily = View & Partial<Pick<Kind, 'within' | 'unexplained'>>;

/** A part of a family with a path of its own. */
export interface OwnModule {
  /** Names its schema among the components. */
  readonly name: string;
  readonly doc: string;
  readonly path: NonNullable<Group['path']>;
}

/** The paths of a family with every call on them: the collection, one resource, its modules, its commands. */
export function pathsOf(family: ApiFamily, modules: readonly OwnModule[]): JsonSchema {
  const item = `${family.path}/{id}`;
  const paths: readonly (readonly [string, JsonSchema])[] = [
    [family.path, collectionCalls(family)],
    [item, itemCalls(family)],
    ...modules.map((module) => [item + module.path.suffix, moduleCalls(family, module)] as const),
    ...(family.actions ?? []).map((action) => [`${item}/${action}`, { post: command(family, action) }] as const),
  ];
  return Object.fromEntries(
    paths
      .filter(([, calls]) => Object.keys(calls).length > 0)
      .map(([path, calls]) => [path, { parameters: [parameter('Version'), ...idsIn(path)], ...calls }]),
  );
}

function collectionCalls(family: ApiFamily): JsonSchema {
  const { name, doc, operations } = family;
  const list = {
    id: `list${plural(name)}`,
    summary: `List ${plural(name)}, one page at a time`,
    parameters: [parameter('Limit'), parameter('BeforeId')],
    answer: answered(200, 'A page.', `${name}List`),
  };
  const create = {
    id: `create${name}`,
    summary: `Create one ${name}`,
    doc,
    body: `${name}Create`,
    answer: answered(201, 'The created resource.', name),
  };
  return { ...call('get', family, operations.list, list), ...call('post', family, operations.create, create) };
}

function itemCalls(family: ApiFamily): JsonSchema {
  const { name, operations } = family;
  return {
    ...call('get', family, operations.get, {
      id: `get${name}`,
      summary: `Read one ${name}`,
      answer: answered(200, 'The requested resource.', name),
    }),
    ...call('patch', family, operations.update, {
      id: `update${name}`,
      summary: `Update one ${name}`,
      doc: 'Fields that the request omits stay as they are. A field that the request contains is replaced as a whole.',
      body: `${name}Update`,
      answer: answered(200, 'The updated resource.', name),
    }),
    ...call('delete', family, operations.delete, {
      id: `delete${name}`,
      summary: `Delete one ${name}`,
      answer: done('The resource is deleted.'),
    }),
  };
}

function moduleCalls(family: ApiFamily, { name, doc, path: { since } }: OwnModule): JsonSchema {
  return {
    ...call('get', family, since, {
      id: `get${name}`,
      summary: `Read the module ${name}`,
      answer: answered(200, doc, name),
    }),
    ...call('put', family, since, {
      id: `put${name}`,
      summary: `Set the module ${name}`,
      doc: `${doc} The request replaces the whole module: fields that it omits get their default values.`,
      body: `${name}Write`,
      answer: answered(200, 'The updated module.', name),
    }),
    ...call('delete', family, since, {
      id: `delete${name}`,
      summary: `Remove the module ${name}`,
      answer: done('The resource no longer has the module.'),
    }),
  };
}

function command(family: ApiFamily, action: string): JsonSchema {
  const { name } = family;
  return operation(family, 'described', {
    id: `${action}${name}`,
    summary: `${action.charAt(0).toUpperCase()}${action.slice(1)} one ${name}`,
    body: 'Command',
    answer: done('The command is accepted.'),
  });
}

interface Call {
  readonly id: string;
  readonly summary: string;
  readonly doc?: string;
  readonly parameters?: readonly JsonSchema[];
  readonly body?: string;
  readonly answer: JsonSchema;
}

/** The call under its method, where it exists at all. */
function call(method: string, family: ApiFamily, since: Provenance | undefined, facts: Call): JsonSchema {
  return since === undefined ? {} : { [method]: operation(family, since, facts) };
}

function operation(
  { name }: ApiFamily,
  since: Provenance,
  { id, summary, doc, parameters, body, answer }: Call,
): JsonSchema {
  const refused = { $ref: '#/components/responses/Refused' };
  return {
    operationId: id,
    summary: since === 'completed' ? `${summary} (some services do not offer this operation)` : summary,
    ...(doc === undefined ? {} : { description: doc }),
    tags: [name],
    ...sinceOf(since),
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(component(body)) } }),
    responses: { ...answer, '4XX': refused, '5XX': refused },
  };
}

function answered(status: number, description: string, schema: string): JsonSchema {
  return { [status]: { description, content: jsonContent(component(schema)) } };
}

function done(description: string): JsonSchema {
  return { 204: { description } };
}

function idsIn(path: string): JsonSchema[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: 'The id of the resource, as the service returned it.',
    schema: { type: 'string', minLength: 1 },
  }));
}
