import { readFile } from 'node:fs/promises';
import type { JsonSchema } from '../../src/derive/schema/field-schema.ts';

/** The schema of a JSON output with what sluice printed for a small stack: `examples/` has one document, or a list of them. */
export async function withExamples(name: string, schema: JsonSchema): Promise<JsonSchema> {
  const found = JSON.parse(await readFile(`scripts/reference/examples/${name}.json`, 'utf8')) as unknown;
  return { ...schema, examples: Array.isArray(found) ? found : [found] };
}
