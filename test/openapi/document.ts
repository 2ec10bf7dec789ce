import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the document is that the project ships. */
export const documentFile = join(import.meta.dirname, '../../schemas/openapi.json');

/** A parameter, in place or as a pointer. */
export interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly $ref?: string;
}

/** A call that an answer leads to, and where its parameters come from. */
export interface Link {
  readonly parameters: Readonly<Record<string, string>>;
}

/** One call as the document describes it. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly 'x-sluice-since': 'described' | 'completed';
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: object; readonly $ref?: string; readonly links?: Readonly<Record<string, Link>> }
    >
  >;
}

/** The parts of the document that the tests look at. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

/** The document as it is shipped. */
export function readDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(documentFile, 'utf8')) as OpenApiDocument;
}

/** Every call, by its method and path. */
export function operationsOf({ paths }: OpenApiDocument): ReadonlyMap<string, Operation> {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => method !== 'parameters')
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  );
}
