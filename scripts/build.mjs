// Bundles src into dist: the command line as one program whose commands load when used, and the library.
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const shared = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  outdir: 'dist',
  metafile: true,
  logLevel: 'warning',
};

const cli = await build({
  ...shared,
  entryPoints: { sluice: 'src/cli/main.ts' },
  chunkNames: 'chunks/[name]-[hash]',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  plugins: [
    {
      name: 'the part of undici that is used',
      setup: ({ onResolve }) => onResolve({ filter: /^undici$/ }, () => ({ path: resolve('scripts/undici.mjs') })),
    },
  ],
  // CommonJS packages inside an ES module bundle still call require for Node's own modules.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
});
const library = await build({ ...shared, entryPoints: { index: 'src/index.ts' }, packages: 'external' });

await makeExecutable('dist/sluice.js');
const outputs = { ...cli.metafile.outputs, ...library.metafile.outputs };
await removeStale('dist', new Set(Object.keys(outputs)));
for (const entry of ['dist/sluice.js', 'dist/index.js']) console.log(`${entry} ${kilobytes(outputs, entry)}`);

// A bin needs its shebang on line one and the execute bit.
async function makeExecutable(file) {
  const text = await readFile(file, 'utf8');
  if (!text.startsWith('#!')) await writeFile(file, `#!/usr/bin/env node\n${text}`);
  await chmod(file, 0o755);
}

// Removes what an earlier build left, never what this one wrote: a running program may still load its chunks.
async function removeStale(folder, kept) {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.(js|txt)$/.test(entry.name) && !kept.has(path)) await rm(path, { force: true });
  }
}

// What starting the entry loads, and what waits until a command needs it.
function kilobytes(outputs, entry) {
  const atStart = reach(outputs, entry, ['import-statement']);
  const ever = reach(outputs, entry, ['import-statement', 'dynamic-import']);
  const size = (paths) => [...paths].reduce((total, path) => total + outputs[path].bytes, 0) / 1024;
  return `${size(atStart).toFixed(0)} kB at start, ${(size(ever) - size(atStart)).toFixed(0)} kB on demand`;
}

function reach(outputs, entry, importKinds) {
  const reached = new Set([entry]);
  for (const path of reached)
    for (const { path: next, kind, external } of outputs[path].imports)
      if (!external && importKinds.includes(kind)) reached.add(next);
  return reached;
}
