// Writes what is derived from the sources: schemas/, docs/reference/ and the list of texts that users are shown. With --check it
// only reports what is stale, and fails.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format } from 'oxfmt';
import { referencePages } from './reference/reference.ts';
import { schemaFiles } from './schema-files.ts';
import { shownStrings } from './shown-strings.ts';

const stringsFile = 'test/words/strings.txt';

const schemas = new Map<string, string>();
for (const [file, schema] of await schemaFiles())
  schemas.set(file, (await format(file, JSON.stringify(schema, null, 2), { printWidth: 120 })).code);

const wanted = new Map([
  ...[...schemas].map(([file, text]) => [join('schemas', file), text] as const),
  ...[...referencePages()].map(([file, text]) => [join('docs/reference', file), text] as const),
  [stringsFile, ['src', 'scripts/openapi', 'scripts/schema'].map(shownStrings).join('\n')] as const,
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

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch((): string[] => [])).map((name) => join(folder, name));
}
