import { manifestSchema, schemasByKind } from '../../derive/schema/json-schema.ts';
import { kinds } from '../../kinds/index.ts';
import { jsonText } from '../../render/text/json-text.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { kindWords, plainWord } from '../../derive/explain/kind-words.ts';
import { jsonSchemaOfStackFile } from '../../manifest/stack-file/stack-json-schema.ts';
import { stackFileName } from '../../manifest/stack-file/stack-file.ts';
import { hintFor } from '../usage/kind-named.ts';
import { UsageError } from '../../stack/usage-error.ts';

/** Prints the JSON Schema of one kind's manifest, or of manifests of every kind. */
export function schema({ io }: Context, word: string | undefined): number {
  io.out(jsonText(word === undefined ? manifestSchema(kinds) : schemaOf(word)));
  return exitCodes.done;
}

function schemaOf(word: string): unknown {
  const schemas = schemasByKind(kinds);
  if (word === stackFileName) return jsonSchemaOfStackFile();
  const kind = kindWords(kinds).get(plainWord(word))?.name;
  for (const [name, schema] of schemas) if (name === kind || plainWord(name) === plainWord(word)) return schema;
  throw new UsageError(`unknown kind ${JSON.stringify(word)}`, hintFor(word, [...schemas.keys(), stackFileName]));
}
