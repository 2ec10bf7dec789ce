import type { View } from '../../src/kinds/kind.ts';
import type { JsonSchema } from '../../src/derive/schema/field-schema.ts';

type Calls = Readonly<Record<string, Operation>>;

interface Operation extends JsonSchema {
  readonly operationId?: string;
  readonly responses?: Readonly<Record<string, JsonSchema>>;
}

/** Adds links to the paths: the operations that create or list a resource link to those that take its id. */
export function withLinks(paths: JsonSchema, families: readonly Pick<View, 'path' | 'listKey'>[]): JsonSchema {
  const known = paths as Readonly<Record<string, Calls>>;
  return Object.fromEntries(
    Object.entries(known).map(([path, calls]) => {
      const family = families.find((candidate) => candidate.path === path);
      if (family === undefined) return [path, calls];
      const links = (id: string) => linksBelow(path, known, id);
      return [
        path,
        {
          ...calls,
          ...linked(calls, 'get', '200', links(`$response.body#/${family.listKey}/0/id`)),
          ...linked(calls, 'post', '201', links('$response.body#/id')),
        },
      ];
    }),
  );
}

function linked(calls: Calls, method: string, status: string, links: JsonSchema): JsonSchema {
  const operation = calls[method];
  if (operation?.responses === undefined) return {};
  const responses = { ...operation.responses, [status]: { ...operation.responses[status], links } };
  return { [method]: { ...operation, responses } };
}

/** A link to every call below a collection that needs one id more than the collection. */
function linksBelow(collection: string, paths: Readonly<Record<string, Calls>>, id: string): JsonSchema {
  const given = idNames(collection);
  const links = Object.entries(paths).flatMap(([path, calls]) => {
    const names = idNames(path);
    if (!path.startsWith(`${collection}/{`) || names.length !== given.length + 1) return [];
    const parameters = Object.fromEntries(
      names.map((name, index) => [name, index < given.length ? `$request.path.${name}` : id]),
    );
    return Object.values(calls).flatMap(({ operationId }) =>
      operationId === undefined ? [] : [[operationId, { operationId, parameters }] as const],
    );
  });
  return Object.fromEntries(links);
}

function idNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
