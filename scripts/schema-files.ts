import * as z from 'zod';
import type { JsonSchema } from '../src/derive/schema/field-schema.ts';
import { manifestSchema, schemasByKind } from '../src/derive/schema/json-schema.ts';
import { kinds } from '../src/kinds/index.ts';
import { jsonSchemaOfStackFile } from '../src/manifest/stack-file/stack-json-schema.ts';
import { replicasSchema } from '../src/stack/open-replica-store.ts';
import { operatorPolicySchema } from '../src/stack/settings/operator-policy.ts';
import { snapshotSchema } from '../src/stack/snapshot/snapshot-schema.ts';
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
    [
      'operator-policy.schema.json',
      inputJsonSchema(operatorPolicySchema, { title: 'The operator policy', description: 'SLUICE_OPERATOR_POLICY' }),
    ],
    [
      'replicas.schema.json',
      inputJsonSchema(replicasSchema, {
        title: 'The file that replicas of a fleet share',
        description: 'The file for `sluice watch --fleet DIR --replicas FILE`.',
      }),
    ],
    [
      'snapshot.schema.json',
      inputJsonSchema(snapshotSchema, { $id: 'urn:sluice:v1:snapshot', title: 'A snapshot of sluice' }),
    ],
    ...(await Promise.all(outputNames.map(outputSchemaFile))),
    ['openapi.json', openApi(kinds, 'example')],
  ]);
}

function inputJsonSchema(shape: z.ZodType, head: JsonSchema): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(shape, { unrepresentable: 'any', io: 'input' });
  return { $schema, ...head, ...rest };
}

async function outputSchemaFile(name: OutputName): Promise<readonly [string, JsonSchema]> {
  return [`${name}.schema.json`, await withExamples(name, outputJsonSchema(name))];
}
