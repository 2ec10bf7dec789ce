// Writes what is derived from the sources: schemas/, docs/reference/ and the list of texts that users are shown. With --check it
// only reports what is stale, and fails.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format } from 'prettier';
import type { JsonSchema } from '../src/derive/schema/field-schema.ts';
import { manifestSchema, schemasByKind } from '../src/derive/schema/json-schema.ts';
import { openApi } from '../src/derive/schema/openapi.ts';
import { kinds } from '../src/kinds/index.ts';
import { views } from '../src/kinds/views.ts';
import { jsonSchemaOfOperatorPolicy } from '../src/manifest/stack-file/operator-policy-schema.ts';
import { jsonSchemaOfStackFile } from '../src/manifest/stack-file/stack-json-schema.ts';
import { jsonSchemaOfEvent } from '../src/render/outcome/event-json-schema.ts';
import { jsonSchemaOfApply } from '../src/render/outcome/outcome-json-schema.ts';
import { jsonSchemaOfPlan } from '../src/render/plan/plan-json-schema.ts';
import { jsonSchemaOfStatus } from '../src/render/status/status-json-schema.ts';
import { jsonSchemaOfSnapshot } from '../src/stack/snapshot/snapshot-schema.ts';
import { kebab } from './reference/kebab.ts';
import { referencePages } from './reference/reference.ts';
import { withExamples } from './reference/with-examples.ts';
import { shownStrings } from './shown-strings.ts';

const stringsFile = 'test/words/strings.txt';

const schemas = new Map<string, string>();
for (const [word, schema] of schemasByKind(kinds)) await add(`${kebab(word)}.schema.json`, schema);
await add('manifest.schema.json', manifestSchema(kinds));
await add('sluice.schema.json', jsonSchemaOfStackFile());
await add('operator-policy.schema.json', jsonSchemaOfOperatorPolicy());
await add('snapshot.schema.json', jsonSchemaOfSnapshot());
await add('plan.schema.json', await withExamples('plan', jsonSchemaOfPlan()));
await add('status.schema.json', await withExamples('status', jsonSchemaOfStatus()));
await add('apply.schema.json', await withExamples('apply', jsonSchemaOfApply()));
await add('event.schema.json', await withExamples('event', jsonSchemaOfEvent()));
await add('openapi.json', openApi(kinds, views, 'example'));

const wanted = new Map([
  ...[...schemas].map(([file, text]) => [join('schemas', file), text] as const),
  ...[...(await referencePages())].map(([file, text]) => [join('docs/reference', file), text] as const),
  [stringsFile, shownStrings()] as const,
]);
const present = [...(await filesIn('schemas')), ...(await filesIn('docs/reference'))];
const extra = present.filter((file) => !wanted.has(file));
const stale: string[] = [];
for (const [file, text] of wanted) if ((await readFile(file, 'utf8').catch(() => '')) !== text) stale.push(file);

if (process.argv.includes('--check')) {
  for (const file of stale) console.error(`${file} does not match the sources. Run: npm run regenerate`);
  for (const file of extra) console.error(`${file} comes from no source. Run: npm run regenerate`);
  if (stale.length + extra.length > 0) process.exitCode = 1;
} else {
  for (const file of stale) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, wanted.get(file) ?? '');
  }
  for (const file of extra) await rm(file);
  console.log(`${String(stale.length)} written, ${String(extra.length)} removed, ${String(wanted.size)} in all`);
}

async function add(file: string, schema: JsonSchema): Promise<void> {
  schemas.set(file, await format(JSON.stringify(schema, null, 2), { parser: 'json', printWidth: 120 }));
}

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch((): string[] => [])).map((name) => join(folder, name));
}
