// Checks what is in a package before it is released: the licence texts, the bill of materials and the version agree, and
// nothing is in it that users have no use for.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const dir = process.argv[2] ?? '.';
const read = (name) => readFileSync(join(dir, name), 'utf8');
const { name, version } = JSON.parse(read('package.json'));
const { metadata, components } = JSON.parse(read('dist/sbom.cdx.json'));
const notices = read('dist/THIRD-PARTY-NOTICES.txt');
const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });

const problems = [
  ...(metadata.component.name === name && metadata.component.version === version
    ? []
    : [
        `the bill of materials is of ${metadata.component.name} ${metadata.component.version}, not of ${name} ${version}`,
      ]),
  ...(components.length > 0 ? [] : ['the bill of materials is empty']),
  ...components
    .filter((one) => !notices.includes(`\n${one.name} ${one.version} (`))
    .map((one) => `there is no licence text of ${one.name} ${one.version}`),
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/sluice.js', 'dist/index.js']
    .filter((file) => !files.includes(file))
    .map((file) => `${file} is missing`),
  ...files
    .filter((file) => /(^|\/)(src\/.*\.ts|test|node_modules|\.env.*)$|\.map$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => `${file} does not belong into a package`),
];

for (const problem of problems) console.error(`package: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
