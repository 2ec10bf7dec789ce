// Bundles src into dist: the command line as one program whose commands load when used, and the library.
import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { billOfMaterials, bundledPackages, noticesText } from './notices.mjs';
import { buildProgram, keepClientsApart, shared, small } from './program.mjs';

const outdir = 'dist';
const [bin, program] = await buildProgram(outdir);
// What only some runs use stays out of the program: threads of their own, and the clients of stores.
const parts = await build({
  ...small,
  outdir,
  format: 'cjs',
  entryPoints: {
    heartbeat: 'src/state/remote/heartbeat-thread.ts',
    'lock-heartbeat': 'src/state/file/lock-thread.ts',
    postgres: 'scripts/postgres.cjs',
    aws4fetch: 'scripts/aws4fetch.cjs',
  },
  outExtension: { '.js': '.cjs' },
  supported: { 'dynamic-import': false },
  legalComments: 'linked',
  alias: Object.fromEntries(
    ['pg-types', 'pg-connection-string', 'pgpass', 'pg-cloudflare'].map((name) => [name, './scripts/no-pg-parts.cjs']),
  ),
  plugins: [{ name: 'the clients of stores apart', setup: keepClientsApart }],
});
const library = await build({
  ...shared,
  outdir,
  splitting: true,
  format: 'esm',
  entryPoints: { index: 'src/index.ts' },
  packages: 'external',
});

const outputs = {
  ...bin.metafile.outputs,
  ...parts.metafile.outputs,
  ...program.metafile.outputs,
  ...library.metafile.outputs,
};
const about = JSON.parse(await readFile('package.json', 'utf8'));
const packages = bundledPackages([bin, parts, program, library].map(({ metafile }) => metafile));
await writeFile('dist/THIRD-PARTY-NOTICES.txt', noticesText(packages));
await writeFile('dist/sbom.cdx.json', `${JSON.stringify(billOfMaterials(packages, about), null, 2)}\n`);
await removeStale('dist', new Set([...Object.keys(outputs), 'dist/THIRD-PARTY-NOTICES.txt']));
execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/write-answers.ts'], { stdio: 'inherit' });
const sizes = Object.values(outputs).map(({ bytes }) => bytes);
console.log(`dist: ${sizes.length} files, ${(sizes.reduce((sum, bytes) => sum + bytes, 0) / 1024).toFixed(0)} kB`);

// Removes what an earlier build left, never what this one wrote: a running program may still load its chunks.
async function removeStale(folder, kept) {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.(c?js|txt|v8)$/.test(entry.name) && !kept.has(path)) await rm(path, { force: true });
  }
}
