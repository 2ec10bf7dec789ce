// Bundles src into dist: the command line as one program whose commands load when used, and the library.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { billOfMaterials, bundledPackages, noticesText } from './notices.mjs';

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  outdir: 'dist',
  metafile: true,
  logLevel: 'warning',
};
const small = { minify: true };

// CommonJS packages and parts of Node that many commands never use: evaluated when a name of theirs is first read.
const evaluatedWhenUsed = [
  '@xmldom/xmldom',
  'fast-json-patch',
  ...['child_process', 'http', 'https', 'perf_hooks', 'tls', 'worker_threads'].map((name) => `node:${name}`),
];

const program = await build({
  ...shared,
  ...small,
  // One file, whose modules are evaluated when a command asks for them: many small ones load slower.
  format: 'cjs',
  entryPoints: { program: 'src/cli/main.ts' },
  outExtension: { '.js': '.cjs' },
  supported: { 'dynamic-import': false },
  legalComments: 'linked',
  plugins: [
    {
      name: 'the part of undici that is used',
      setup: ({ onResolve }) => {
        onResolve({ filter: /^undici$/ }, () => ({ path: resolve('scripts/undici.mjs') }));
        onResolve({ filter: /\/client-h2\.js$/ }, () => ({ path: resolve('scripts/no-http2.cjs') }));
        onResolve({ filter: /^node:http$/ }, ({ importer }) =>
          importer.includes('/node_modules/undici/') ? { path: resolve('scripts/no-http.cjs') } : undefined,
        );
      },
    },
    { name: 'packages evaluated when used', setup: evaluateWhenUsed },
    { name: 'the clients of stores apart', setup: keepClientsApart },
  ],
  define: { 'import.meta.url': '__programUrl' },
  // One function expression: what V8 caches is what it compiled of exactly this text.
  charset: 'ascii',
  banner: {
    js: "(function(exports,require,module,__filename,__dirname){const __programUrl=require('node:url').pathToFileURL(__filename).href;",
  },
  footer: { js: '})' },
});
// The program is read as ASCII, but esbuild leaves tagged templates as they are.
const text = await readFile('dist/program.cjs', 'utf8');
const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
await writeFile('dist/program.cjs', text.replace(/[^\x00-\x7f]/g, escape));
// What only some runs use stays out of the program: threads of their own, and the clients of stores.
const parts = await build({
  ...shared,
  ...small,
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
const bin = await build({
  ...shared,
  ...small,
  splitting: true,
  format: 'esm',
  entryPoints: { sluice: 'src/cli/start.ts' },
  define: { programVersion: JSON.stringify(await digestOf('dist/program.cjs')) },
});
const library = await build({
  ...shared,
  splitting: true,
  format: 'esm',
  entryPoints: { index: 'src/index.ts' },
  packages: 'external',
});

await makeExecutable('dist/sluice.js');
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

function keepClientsApart({ onResolve }) {
  const files = { 'pg/lib/client.js': 'postgres.cjs', aws4fetch: 'aws4fetch.cjs' };
  for (const [client, file] of Object.entries(files))
    onResolve({ filter: new RegExp(`^${client}$`) }, ({ importer }) =>
      importer.endsWith(`/scripts/${file}`) ? undefined : { path: `./${file}`, external: true },
    );
}

// Puts getters between an importer and a package, so that the package is evaluated by the first read.
function evaluateWhenUsed({ onResolve, onLoad }) {
  const namespace = 'evaluated-when-used';
  onResolve({ filter: /./ }, ({ path, namespace: from }) =>
    evaluatedWhenUsed.includes(path) && from !== namespace ? { path, namespace } : undefined,
  );
  onLoad({ filter: /./, namespace }, async ({ path }) => {
    const names = Object.keys(createRequire(import.meta.url)(path));
    const getters = names.map((name) => `get ${name}() { return loaded().${name}; }`);
    const loaded = `let found; const loaded = () => (found ??= require(${JSON.stringify(path)}));`;
    return { contents: `${loaded} module.exports = { ${getters.join(', ')} };`, resolveDir: resolve('.') };
  });
}

async function digestOf(file) {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
    .slice(0, 32);
}

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
    if (entry.isFile() && /\.(c?js|txt|v8)$/.test(entry.name) && !kept.has(path)) await rm(path, { force: true });
  }
}
