import { manifestSchema, schemasByKind } from '../../derive/schema/json-schema.ts';
import { kinds } from '../../kinds/index.ts';
import { jsonText } from '../../render/text/json-text.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { hintFor, plainly } from '../kind-named.ts';
import { UsageError } from '../../stack/usage-error.ts';

/** Prints the JSON Schema of one kind's manifest, or of manifests of every kind. */
export function schema({ io }: Context, word: string | undefined): number {
  io.out(jsonText(word === undefined ? manifestSchema(kinds) : schemaOf(word)));
  return exitCodes.done;
}

function schemaOf(word: string): unknown {
  const schemas = schemasByKind(kinds);
  for (const [name, schema] of schemas) if (plainly(name) === plainly(word)) return schema;
  throw new UsageError(`unknown kind ${JSON.stringify(word)}`, hintFor(word, [...schemas.keys()]));
}
