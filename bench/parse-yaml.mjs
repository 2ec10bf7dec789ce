// parse-yaml.mjs DIR: parses every manifest below DIR with `yaml` alone, in a process of its own as a plan has one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const [dir] = process.argv.slice(2);
for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.yaml'))
    for (const document of parseAllDocuments(readFileSync(join(dir, name), 'utf8')))
      if ('toJS' in document) document.toJS();
