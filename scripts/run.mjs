// Runs a TypeScript script from this repository on any Node: node scripts/run.mjs scripts/generate.ts --check
import { mkdirSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [script, ...args] = process.argv.slice(2);
if (script === undefined) {
  console.error('usage: node scripts/run.mjs SCRIPT.ts [ARGUMENT...]');
  process.exit(8);
}

const folder = resolve('node_modules/.cache/sluice');
const outfile = resolve(folder, `${basename(script, '.ts')}-${process.pid}.mjs`);
mkdirSync(folder, { recursive: true });
process.on('exit', () => rmSync(outfile, { force: true }));

await build({
  entryPoints: [script],
  outfile,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: 'inline',
  logLevel: 'warning',
});

process.setSourceMapsEnabled(true);
process.argv = [process.execPath, resolve(script), ...args];
await import(pathToFileURL(outfile).href);
