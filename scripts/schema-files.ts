import type { JsonSchema } from '../src/derive/schema/field-schema.ts';
import { manifestSchema, schemasByKind } from '../src/derive/schema/json-schema.ts';
import { kinds } from '../src/kinds/index.ts';
import { jsonSchemaOfStackFile } from '../src/manifest/stack-file/stack-json-schema.ts';
import { jsonSchemaOfReplicas } from '../src/stack/open-replica-store.ts';
import { jsonSchemaOfOperatorPolicy } from '../src/stack/settings/operator-policy.ts';
import { jsonSchemaOfSnapshot } from '../src/stack/snapshot/snapshot-schema.ts';
import { openApi } from './openapi/openapi.ts';
import { kebab } from './reference/kebab.ts';
import { withExamples } from './reference/with-examples.ts';
import { outputJsonSchema, outputs, type OutputName } from './schema/output-json-schema.ts';

const outputNames = Object.keys(outputs) as readonly OutputName[];

/** What is in the files of schemas/, by name. */
export async function schemaFiles(): Promise<ReadonlyMap<string, JsonSchema>> {
  return new Map([
    ...[...schemasByKind(kinds)].map(([word, schema]) => [`${kebab(word)}.schema.json`, schema] as const),
    ['manifest.schema.json', manifestSchema(kinds)],
    ['sluice.schema.json', jsonSchemaOfStackFile()],
    ['operator-policy.schema.json', jsonSchemaOfOperatorPolicy()],
    ['replicas.schema.json', jsonSchemaOfReplicas()],
    ['snapshot.schema.json', jsonSchemaOfSnapshot()],
    ...(await Promise.all(outputNames.map(outputSchemaFile))),
    ['openapi.json', openApi(kinds, 'example')],
  ]);
}

async function outputSchemaFile(name: OutputName): Promise<readonly [string, JsonSchema]> {
  return [`${name}.schema.json`, await withExamples(name, outputJsonSchema(name))];
}
