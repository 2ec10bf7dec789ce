import type { Group, Kind, KindSet, NestedKind } from '../../kinds/kind.ts';
import {
  definition,
  fieldSchemas,
  groupSchema,
  strictObject,
  type GroupSchema,
  type JsonSchema,
} from './field-schema.ts';
import { examplesOf } from './field-examples.ts';
import { withTitles } from './titles.ts';
import { externalFamilies } from '../references.ts';
import { sharedDefinitions } from './shared-definitions.ts';

const draft = 'https://json-schema.org/draft/2020-12/schema';

/** The JSON Schema of one kind's manifest. */
export function jsonSchemaOf(kind: Kind, kinds: KindSet): JsonSchema {
  return whole(`A manifest of kind ${kind.name}`, kindManifest(kind, kinds), definitionsOf(kinds));
}

/** The JSON Schema of each kind's manifest by the word after `kind:`, the two that are no resource included. */
export function schemasByKind(kinds: KindSet): ReadonlyMap<string, JsonSchema> {
  const definitions = definitionsOf(kinds);
  return new Map(
    manifests(kinds).map(([name, schema]) => [name, whole(`A manifest of kind ${name}`, schema, definitions)]),
  );
}

/** The JSON Schema of a manifest of whatever kind, a List of them included. */
export function manifestSchema(kinds: KindSet): JsonSchema {
  const all = manifests(kinds);
  const one = all.map(([name]) => name);
  const words = [...one, 'List'];
  return whole(
    'A manifest',
    {
      type: 'object',
      properties: { apiVersion, kind: { ...kindWord, enum: words } },
      required: ['apiVersion', 'kind'],
      // One branch per kind, so that an editor reports problems of this kind and not of all.
      allOf: words.map((name) => ({
        if: { properties: { kind: { const: name } }, required: ['kind'] },
        then: definition(name),
      })),
    },
    { ...definitionsOf(kinds), ...Object.fromEntries(all), List: listOf(one) },
  );
}

/** A list holds manifests of every kind, but no further list. */
function listOf(words: readonly string[]): JsonSchema {
  const item = { allOf: [{ $ref: '#' }, { type: 'object', properties: { kind: { ...kindWord, enum: words } } }] };
  return {
    description: 'A list of manifests.',
    ...strictObject(
      {
        apiVersion,
        kind: { ...kindWord, const: 'List' },
        metadata: { description: 'Not used: each manifest of the list has its own metadata.', examples: [{}] },
        items: { description: 'The manifests of the list.', type: 'array', items: item, examples: [[]] },
      },
      ['apiVersion', 'kind', 'items'],
    ),
  };
}

const kindWord = { description: 'The kind of the manifest.' };

const specOf = (what: string, spec: JsonSchema): JsonSchema => ({
  description: `The desired fields of ${what}.`,
  ...spec,
});

const apiVersion = { description: 'The API version of the manifest.', const: 'sluice/v1' };

function manifests(kinds: KindSet): (readonly [string, JsonSchema])[] {
  return [
    ...kinds.all.map((kind) => [kind.name, kindManifest(kind, kinds)] as const),
    ['External', externalManifest(kinds)],
    ['ModuleSet', moduleSetManifest(kinds)],
  ];
}

function kindManifest(kind: Kind, kinds: KindSet): JsonSchema {
  const spec = kindSpec(kind, kinds);
  const isNamed = kind.within === undefined;
  return {
    description: kind.doc,
    ...strictObject(
      {
        apiVersion,
        kind: { ...kindWord, const: kind.name },
        metadata: isNamed ? definition('metadata') : definition('optionalName'),
        lifecycle: definition(kind.renewal === undefined ? 'lifecycle' : 'renewedLifecycle'),
        spec: specOf(`the ${kind.name}`, {
          ...spec,
          ...(spec['required'] === undefined ? { type: ['object', 'null'] } : {}),
          examples: examplesOf(specGroup(kind), 'spec'),
        }),
      },
      ['apiVersion', 'kind', ...(isNamed ? ['metadata'] : []), ...(spec['required'] === undefined ? [] : ['spec'])],
    ),
  };
}

/** The fields of a kind, its nested resources, and the module sets that a nested resource may include. */
function kindSpec(kind: Kind, kinds: KindSet): JsonSchema {
  const { properties, required } = fieldSchemas(kind.fields, modulesOnce(kinds));
  const inside = kinds.within(kind.name).map((child) => embedded(child, kinds));
  return strictObject(
    { ...properties, ...(kind.within === undefined ? {} : moduleSets), ...Object.fromEntries(inside) },
    required,
  );
}

const moduleSets = { module_sets: definition('moduleSets') };

/** The fields of a kind as one group, to make an example of. */
function specGroup({ doc, fields, rules }: Kind, without?: string): Group {
  const own = Object.entries(fields).filter(([name]) => name !== without);
  return { is: 'group', doc, lifecycle: 'mutable', since: 'described', fields: Object.fromEntries(own), rules };
}

function embedded(child: NestedKind, kinds: KindSet): [string, JsonSchema] {
  const { by, embeddedAs } = child.within;
  const { [by]: _, ...fields } = child.fields;
  const { properties, required } = fieldSchemas(fields, modulesOnce(kinds));
  const item = strictObject(
    {
      name: definition('name'),
      labels: definition('labels'),
      lifecycle: definition(child.renewal === undefined ? 'lifecycle' : 'renewedLifecycle'),
      ...properties,
      ...moduleSets,
    },
    required,
  );
  return [
    embeddedAs,
    {
      description: `${child.doc} Each entry is a separate resource.`,
      type: ['array', 'null'],
      items: item,
      examples: examplesOf(specGroup(child, by), embeddedAs).map((one) => [one]),
    },
  ];
}

function externalManifest(kinds: KindSet): JsonSchema {
  const spec = strictObject(
    {
      type: { description: 'The type of the resource that the id belongs to.', enum: externalFamilies(kinds) },
      id: {
        description: 'The id of the resource in the service.',
        anyOf: [{ type: 'string', minLength: 1 }, definition('value')],
        examples: ['bkd_2shopA7kq'],
      },
    },
    ['type', 'id'],
  );
  return {
    description: 'A name for the id of a resource that this API does not manage.',
    ...strictObject(
      {
        apiVersion,
        kind: { ...kindWord, const: 'External' },
        metadata: definition('metadata'),
        spec: {
          ...specOf('this External manifest', spec),
          examples: [{ type: externalFamilies(kinds)[0], id: 'bkd_2shopA7kq' }],
        },
      },
      ['apiVersion', 'kind', 'metadata', 'spec'],
    ),
  };
}

function moduleSetManifest(kinds: KindSet): JsonSchema {
  const modules = [...modulesOf(kinds)].map(([, { field, name }]) => [field, definition(name)] as const);
  return {
    description: 'A named set of modules, which routes include with `module_sets`.',
    ...strictObject(
      {
        apiVersion,
        kind: { ...kindWord, const: 'ModuleSet' },
        metadata: definition('metadata'),
        spec: {
          ...specOf('this ModuleSet manifest', strictObject(Object.fromEntries(modules))),
          examples: [{ compression: {} }],
        },
      },
      ['apiVersion', 'kind', 'metadata', 'spec'],
    ),
  };
}

/** The modules that a module set may contain: those of nested kinds. */
function modulesOf(kinds: KindSet): ReadonlyMap<Group, { readonly field: string; readonly name: string }> {
  const found = kinds.all
    .filter(({ within }) => within !== undefined)
    .flatMap((kind) =>
      Object.entries(kind.fields).flatMap(([field, group]) =>
        group.is === 'group' && group.path !== undefined
          ? [[group, { field, name: `${kind.name}.${field}` }] as const]
          : [],
      ),
    );
  return new Map(found);
}

/** Puts a pointer in place of a module, which is defined once for all that may hold it. */
function modulesOnce(kinds: KindSet): GroupSchema {
  const modules = modulesOf(kinds);
  return (group, schema) => {
    const module = modules.get(group);
    return module === undefined ? schema : definition(module.name);
  };
}

function definitionsOf(kinds: KindSet): JsonSchema {
  const modules = [...modulesOf(kinds)].map(([group, { name }]) => [name, groupSchema(group)] as const);
  return { ...sharedDefinitions, ...Object.fromEntries(modules) };
}

/** A schema of its own: its draft, its title, and of the definitions those it comes to. */
function whole(title: string, schema: JsonSchema, definitions: JsonSchema): JsonSchema {
  const reached = reachedFrom(schema, definitions);
  const used = Object.entries(definitions).filter(([name]) => reached.has(name));
  const document = { ...schema, $defs: Object.fromEntries(used) };
  const $id = `urn:sluice:v1:${title.replace(/^A manifest( of kind )?/, '') || 'manifest'}`;
  return { $schema: draft, $id, title, ...(withTitles(document, definitions) as JsonSchema) };
}

function reachedFrom(schema: JsonSchema, definitions: JsonSchema): ReadonlySet<string> {
  const reached = new Set(pointedAt(schema));
  for (const name of reached) for (const next of pointedAt(definitions[name])) reached.add(next);
  return reached;
}

function pointedAt(schema: unknown): string[] {
  return [...JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]+)"/g)].map(([, name]) => String(name));
}
