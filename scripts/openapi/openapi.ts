import type { Fields, Group, KindSet } from '../../src/kinds/kind.ts';
import type { JsonSchema } from '../../src/derive/schema/field-schema.ts';
import { pageSchema, sharedParameters, sharedResponses, sharedSchemas } from './openapi-components.ts';
import { withLinks } from './openapi-links.ts';
import { pathsOf, type ApiFamily, type OwnModule } from './openapi-paths.ts';
import { component, readSchema, writeSchema, type Pointer } from './wire-schema.ts';

const about = `Every operation of the Tunnel Management API. \`x-sluice-since\` names the source of an operation or field:
\`described\`: the documentation of the API contains it; \`completed\`: sluice adds it to fill a gap in that documentation, and a
service may lack it.
Responses may contain keys that are not listed here. In a request, null has the same effect as omitting the field: in an update, the field stays as it is. The
exceptions are an optional reference to one resource and a group of fields without a DELETE operation of its own: in an update, null removes them.`;

/** The whole API as an OpenAPI 3.1 document. */
export function openApi(kinds: KindSet, vendor: string): JsonSchema {
  const { families } = kinds;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tunnel Management API',
      version: '2',
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: 'http://127.0.0.1:8080', description: 'The emulator on port 8080; use the URL of your service instead.' },
    ],
    security: [{ bearer: [] }],
    tags: families.map(({ name, doc }) => ({ name, description: doc })),
    paths: withLinks(
      Object.assign({}, ...families.map((family) => pathsOf(family, ownModules(family)))) as JsonSchema,
      families,
    ),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'The API key.' } },
      parameters: sharedParameters(vendor),
      responses: sharedResponses,
      schemas: Object.assign({ ...sharedSchemas }, ...families.map((family) => schemasOf(family, kinds))) as JsonSchema,
    },
  };
}

/** What a family is read, listed, created and changed as, and the same of its modules. */
function schemasOf(family: ApiFamily, kinds: KindSet): JsonSchema {
  const { name, doc, fields, operations, listKey } = family;
  const modules = ownModules(family);
  const read: Pointer = (group) => pointerTo(modules, group, '');
  const write: Pointer = (group) => pointerTo(modules, group, 'Write');
  const beside = { always: embedded(family, kinds), sometimes: unexplained(family) };
  return {
    [name]: { description: doc, ...readSchema(fields, read, beside) },
    ...(operations.list === undefined ? {} : { [`${name}List`]: pageSchema(listKey, component(name)) }),
    ...(operations.create === undefined
      ? {}
      : { [`${name}Create`]: { description: doc, ...writeSchema(createFields(family), write) } }),
    ...(operations.update === undefined
      ? {}
      : {
          [`${name}Update`]: {
            description: `${doc} Fields that the request omits stay as they are.`,
            ...updateSchema(family, write),
          },
        }),
    ...Object.fromEntries(
      modules.flatMap(({ name: module, doc: description, group }) => [
        [module, { description, ...readSchema(group.fields, read) }],
        [`${module}Write`, { description, ...writeSchema(group.fields, write) }],
      ]),
    ),
  };
}

interface Module extends OwnModule {
  readonly group: Group;
}

function ownModules({ name, fields }: ApiFamily): Module[] {
  return Object.entries(fields).flatMap(([field, group]) =>
    group.is === 'group' && group.path !== undefined
      ? [{ name: `${name}${inPascalCase(field)}`, doc: group.doc, path: group.path, group }]
      : [],
  );
}

function pointerTo(modules: readonly Module[], group: Group, suffix: string): JsonSchema | undefined {
  const module = modules.find((candidate) => candidate.group === group);
  return module === undefined ? undefined : component(module.name + suffix);
}

/** Nested resources are part of the answers for their parent. */
function embedded({ name }: ApiFamily, kinds: KindSet): JsonSchema {
  return Object.fromEntries(
    kinds.within(name).map((child) => {
      const { doc, within } = child;
      return [within.embeddedAs, { description: doc, type: 'array', items: component(child.name) }];
    }),
  );
}

function unexplained({ unexplained: keys = {} }: ApiFamily): JsonSchema {
  return Object.fromEntries(
    Object.entries(keys).map(([key, nothing]) => [
      key,
      {
        description: `The API description does not explain this field; its example responses show ${JSON.stringify(nothing)}.`,
      },
    ]),
  );
}

/** The id of the parent is in the path; some fields can only be set by an update. */
function createFields({ fields, within }: ApiFamily): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, field]) => name !== within?.by && !(field.is === 'leaf' && field.notOnCreate === true),
    ),
  );
}

/** Where the update is a completed call, its body may repeat the ids of the path. */
function updateSchema({ fields, within, operations }: ApiFamily, pointer: Pointer): JsonSchema {
  const mutable = Object.fromEntries(Object.entries(fields).filter(([, { lifecycle }]) => lifecycle === 'mutable'));
  const ids = operations.update === 'completed' ? ['id', ...(within === undefined ? [] : [within.by])] : [];
  const same = {
    description: 'Optional; if the body contains the id, the id must be the same as in the path.',
    type: 'string',
  };
  return writeSchema(mutable, pointer, {
    isWhole: false,
    beside: Object.fromEntries(ids.map((id) => [id, same])),
  });
}

function inPascalCase(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
