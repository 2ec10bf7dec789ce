import type { JsonSchema } from '../src/derive/schema/field-schema.ts';
import { manifestSchema, schemasByKind } from '../src/derive/schema/json-schema.ts';
import { openApi } from '../src/derive/schema/openapi.ts';
import { kinds } from '../src/kinds/index.ts';
import { jsonSchemaOfStackFile } from '../src/manifest/stack-file/stack-json-schema.ts';
import { jsonSchemaOfEvent } from '../src/render/outcome/event-json-schema.ts';
import { jsonSchemaOfApply } from '../src/render/outcome/outcome-json-schema.ts';
import { jsonSchemaOfPlan } from '../src/render/plan/plan-json-schema.ts';
import { jsonSchemaOfFleet } from '../src/render/status/fleet/fleet-json-schema.ts';
import { jsonSchemaOfStacks } from '../src/render/stacks/stacks-json-schema.ts';
import { jsonSchemaOfStatus } from '../src/render/status/status-json-schema.ts';
import { jsonSchemaOfReplicas } from '../src/stack/open-replica-store.ts';
import { jsonSchemaOfOperatorPolicy } from '../src/stack/settings/operator-policy.ts';
import { jsonSchemaOfSnapshot } from '../src/stack/snapshot/snapshot-schema.ts';
import { kebab } from './reference/kebab.ts';
import { withExamples } from './reference/with-examples.ts';

/** What is in the files of schemas/, by name. */
export async function schemaFiles(): Promise<ReadonlyMap<string, JsonSchema>> {
  return new Map([
    ...[...schemasByKind(kinds)].map(([word, schema]) => [`${kebab(word)}.schema.json`, schema] as const),
    ['manifest.schema.json', manifestSchema(kinds)],
    ['sluice.schema.json', jsonSchemaOfStackFile()],
    ['operator-policy.schema.json', jsonSchemaOfOperatorPolicy()],
    ['replicas.schema.json', jsonSchemaOfReplicas()],
    ['snapshot.schema.json', jsonSchemaOfSnapshot()],
    ['plan.schema.json', await withExamples('plan', jsonSchemaOfPlan())],
    ['status.schema.json', await withExamples('status', jsonSchemaOfStatus())],
    ['fleet.schema.json', await withExamples('fleet', jsonSchemaOfFleet())],
    ['apply.schema.json', await withExamples('apply', jsonSchemaOfApply())],
    ['stacks.schema.json', await withExamples('stacks', jsonSchemaOfStacks())],
    ['event.schema.json', await withExamples('event', jsonSchemaOfEvent())],
    ['openapi.json', openApi(kinds, 'example')],
  ]);
}
