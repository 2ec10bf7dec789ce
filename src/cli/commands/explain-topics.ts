import { definition, type JsonSchema } from '../../derive/schema/field-schema.ts';
import { schemasByKind } from '../../derive/schema/json-schema.ts';
import { sharedDefinitions } from '../../derive/schema/shared-definitions.ts';
import { kinds } from '../../kinds/index.ts';
import { stackFileName } from '../../manifest/stack-file/stack-file.ts';
import { jsonSchemaOfStackFile } from '../../manifest/stack-file/stack-json-schema.ts';

/** Something besides the kinds that can be explained. */
export interface Topic {
  readonly name: string;
  readonly doc: string;
  readonly schema: () => JsonSchema;
}

/** What can be explained besides the kinds. */
export const topics: readonly Topic[] = [
  {
    name: 'External',
    doc: 'A name for the id of a resource that this API does not manage, so that manifests can reference the resource by the name.',
    schema: () => specOf('External'),
  },
  {
    name: 'ModuleSet',
    doc: 'A manifest with modules that several routes share; routes include it with `module_sets`.',
    schema: () => specOf('ModuleSet'),
  },
  {
    name: 'metadata',
    doc: 'The name and the labels of a manifest. sluice does not send them to the service.',
    schema: () => shared('metadata'),
  },
  {
    name: 'lifecycle',
    doc: 'How sluice manages a resource. The block is written beside `spec`; sluice does not send it to the service.',
    schema: lifecycle,
  },
  {
    name: 'values',
    doc: 'What `spec` can contain instead of a literal string or id: references to variables, files and other resources.',
    schema: () => values,
  },
  { name: stackFileName, doc: 'The settings of a stack.', schema: jsonSchemaOfStackFile },
];

const values: JsonSchema = {
  properties: {
    from_env: text(
      'Value of an environment variable: {from_env: NAME}. sluice shows the value only if NAME begins with SLUICE_VAR_.',
    ),
    var: text(
      'Value of a variable of sluice.yaml: {var: NAME}. The value can have any type; {var: NAME} cannot be a part of a text.',
    ),
    template: text(
      'String with variables of sluice.yaml: {template: "https://${var.NAME}/"}. No other string is interpolated.',
    ),
    from_file: text('Content of a file: {from_file: PATH}, relative to the manifest.'),
    ref: text(
      'Id of another resource: {ref: NAME}, where NAME is its `metadata.name`. The field that contains the reference determines the kind.',
    ),
    field: text(
      'With `ref`: a string field of the referenced resource, {ref: NAME, field: FIELD}. NAME may be Kind/name. If the resource is new, the value is known only after apply.',
    ),
    output: {
      description:
        'String field of a resource of another stack: {output: {stack: ../network, address: Kind/name, field: FIELD}}. The path is relative to the directory of the stack.',
      type: 'object',
    },
  },
};

function text(description: string): JsonSchema {
  return { description, type: 'string' };
}

function specOf(name: string): JsonSchema {
  const schema = schemasByKind(kinds).get(name) ?? {};
  const { spec } = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return { ...spec, $defs: schema['$defs'] };
}

function shared(name: string): JsonSchema {
  return { ...definition(name), $defs: sharedDefinitions };
}

/** The fields of the block; those that not all kinds have name theirs. */
function lifecycle(): JsonSchema {
  const [common, all] = [fieldsOf('lifecycle'), fieldsOf('renewedLifecycle')];
  const renewed = kinds.all.filter(({ renewal }) => renewal !== undefined).map(({ name }) => name);
  const properties = Object.entries(all).map(([name, field]) => [
    name,
    name in common
      ? field
      : { ...field, description: `${String(field['description'])} Only for resources of kind ${renewed.join(', ')}.` },
  ]);
  return { properties: Object.fromEntries(properties) as JsonSchema };
}

function fieldsOf(name: string): Readonly<Record<string, JsonSchema>> {
  return (sharedDefinitions[name] as JsonSchema)['properties'] as Readonly<Record<string, JsonSchema>>;
}
