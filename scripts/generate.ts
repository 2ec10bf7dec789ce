// Writes what is derived from the sources: schemas/ from the kinds, and the list of texts that users are shown. With --check it
// only reports what is stale, and fails.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import type { JsonSchema } from '../src/derive/schema/field-schema.ts';
import { manifestSchema, schemasByKind } from '../src/derive/schema/json-schema.ts';
import { openApi } from '../src/derive/schema/openapi.ts';
import { kinds } from '../src/kinds/index.ts';
import { views } from '../src/kinds/views.ts';
import { jsonSchemaOfStackFile } from '../src/manifest/stack-file/stack-json-schema.ts';
import { jsonSchemaOfEvent } from '../src/render/outcome/event-json-schema.ts';
import { jsonSchemaOfApply } from '../src/render/outcome/outcome-json-schema.ts';
import { jsonSchemaOfPlan } from '../src/render/plan/plan-json-schema.ts';
import { jsonSchemaOfStatus } from '../src/render/status/status-json-schema.ts';
import { shownStrings } from './shown-strings.ts';

const folder = 'schemas';
const stringsFile = 'test/words/strings.txt';

const wanted = new Map<string, string>();
for (const [word, schema] of schemasByKind(kinds)) await add(`${kebab(word)}.schema.json`, schema);
await add('manifest.schema.json', manifestSchema(kinds));
await add('sluice.schema.json', jsonSchemaOfStackFile());
await add('plan.schema.json', jsonSchemaOfPlan());
await add('status.schema.json', jsonSchemaOfStatus());
await add('apply.schema.json', jsonSchemaOfApply());
await add('event.schema.json', jsonSchemaOfEvent());
await add('openapi.json', openApi(kinds, views, 'example'));

const present = await readdir(folder).catch((): string[] => []);
const extra = present.filter((file) => !wanted.has(file));
const stale: string[] = [];
for (const [file, text] of wanted) if ((await textOf(file)) !== text) stale.push(file);

const strings = shownStrings();
const areStringsStale = (await readFile(stringsFile, 'utf8').catch(() => '')) !== strings;

if (process.argv.includes('--check')) {
  if (areStringsStale) console.error(`${stringsFile} does not match the texts in src. Run: npm run regenerate`);
  for (const file of stale) console.error(`${join(folder, file)} is not what the kinds say; run: npm run regenerate`);
  for (const file of extra) console.error(`${join(folder, file)} comes from no kind; run: npm run regenerate`);
  if (stale.length + extra.length > 0 || areStringsStale) process.exitCode = 1;
} else {
  await mkdir(folder, { recursive: true });
  for (const file of stale) await writeFile(join(folder, file), wanted.get(file) ?? '');
  for (const file of extra) await rm(join(folder, file));
  await writeFile(stringsFile, strings);
  console.log(
    `${folder}: ${String(stale.length)} written, ${String(extra.length)} removed, ${String(wanted.size)} in all`,
  );
}

async function add(file: string, schema: JsonSchema): Promise<void> {
  const text = await format(JSON.stringify(schema, null, 2), { parser: 'json', printWidth: 120 });
  wanted.set(file, text);
}

async function textOf(file: string): Promise<string | undefined> {
  return present.includes(file) ? await readFile(join(folder, file), 'utf8') : undefined;
}

/** HTTPSEdgeRoute is https-edge-route. */
function kebab(word: string): string {
  return word.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();
}
