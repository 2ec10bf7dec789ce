import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { schemaFiles } from '../../../scripts/schema-files.ts';

test('schemas/ is what the sources say: `npm run generate` writes it', async () => {
  const files = await schemaFiles();
  expect(readdirSync('schemas').sort()).toEqual([...files.keys()].sort());
  for (const [file, schema] of files)
    expect(JSON.parse(readFileSync(`schemas/${file}`, 'utf8')), file).toEqual(JSON.parse(JSON.stringify(schema)));
});
