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
  const rest = {
    metadata: { description: 'Not used: each manifest of the list has its own metadata.', examples: [{}] },
    items: { description: 'The manifests of the list.', type: 'array', items: item, examples: [[]] },
  };
  return manifestOf('List', 'A list of manifests.', rest, ['items']);
}

const kindWord = { description: 'The kind of the manifest.' };

const apiVersion = { description: 'The API version of the manifest.', const: 'sluice/v1' };

/** What may be written as a manifest: its kind, and the rest of its keys. */
function manifestOf(kind: string, description: string, rest: JsonSchema, required: readonly string[]): JsonSchema {
  const properties = { apiVersion, kind: { ...kindWord, const: kind }, ...rest };
  return { description, ...strictObject(properties, ['apiVersion', 'kind', ...required]) };
}

/** The same for one with a name and a spec. */
function namedManifest(kind: string, description: string, spec: JsonSchema, example: JsonSchema): JsonSchema {
  const described = { description: `The desired fields of this ${kind} manifest.`, ...spec, examples: [example] };
  return manifestOf(kind, description, { metadata: definition('metadata'), spec: described }, ['metadata', 'spec']);
}

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
  const isOptional = spec['required'] === undefined;
  const rest = {
    metadata: definition(isNamed ? 'metadata' : 'optionalName'),
    lifecycle: lifecycleOf(kind),
    spec: {
      description: `The desired fields of the ${kind.name}.`,
      ...spec,
      ...(isOptional ? { type: ['object', 'null'] } : {}),
      examples: examplesOf(specGroup(kind), 'spec'),
    },
  };
  return manifestOf(kind.name, kind.doc, rest, [...(isNamed ? ['metadata'] : []), ...(isOptional ? [] : ['spec'])]);
}

function lifecycleOf({ renewal }: Kind): JsonSchema {
  return definition(renewal === undefined ? 'lifecycle' : 'renewedLifecycle');
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
      lifecycle: lifecycleOf(child),
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
  const families = externalFamilies(kinds);
  const spec = strictObject(
    {
      type: { description: 'The type of the resource that the id belongs to.', enum: families },
      id: {
        description: 'The id of the resource in the service.',
        anyOf: [{ type: 'string', minLength: 1 }, definition('value')],
        examples: ['bkd_2shopA7kq'],
      },
    },
    ['type', 'id'],
  );
  const what = 'A name for the id of a resource that this API does not manage.';
  return namedManifest('External', what, spec, { type: families[0], id: 'bkd_2shopA7kq' });
}

function moduleSetManifest(kinds: KindSet): JsonSchema {
  const modules = [...modulesOf(kinds)].map(([, { field, name }]) => [field, definition(name)] as const);
  const what = 'A named set of modules, which routes include with `module_sets`.';
  return namedManifest('ModuleSet', what, strictObject(Object.fromEntries(modules)), { compression: {} });
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
