// Bundles the command line: one program whose commands load when used, and the bin that runs it.
import { createHash } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

// What all bundles have in common.
export const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  metafile: true,
  logLevel: 'warning',
};

// What all bundles of the command line have in common.
export const small = { ...shared, minify: true };

// CommonJS packages and parts of Node that many commands never use: evaluated when a name of theirs is first read.
const evaluatedWhenUsed = [
  '@xmldom/xmldom',
  'fast-json-patch',
  ...['child_process', 'http', 'https', 'perf_hooks', 'tls', 'worker_threads'].map((name) => `node:${name}`),
];

// Builds program.cjs and sluice.js into a directory, with further plugins if given. Returns what esbuild says about both.
export async function buildProgram(outdir, plugins = []) {
  const program = await build({
    ...small,
    outdir,
    // One file, whose modules are evaluated when a command asks for them: many small ones load slower.
    format: 'cjs',
    entryPoints: { program: 'src/cli/main.ts' },
    outExtension: { '.js': '.cjs' },
    supported: { 'dynamic-import': false },
    legalComments: 'linked',
    plugins: [
      ...plugins,
      { name: 'the part of undici that is used', setup: usePartOfUndici },
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
  const file = join(outdir, 'program.cjs');
  const text = (await readFile(file, 'utf8')).replace(/[^\x00-\x7f]/g, escape);
  await writeFile(file, text);
  const bin = await build({
    ...small,
    outdir,
    splitting: true,
    format: 'esm',
    entryPoints: { sluice: 'src/cli/start.ts' },
    define: { programVersion: JSON.stringify(digestOf(text)) },
  });
  await makeExecutable(join(outdir, 'sluice.js'));
  return [bin, program];
}

// Leaves the clients of stores to the bundles of their own.
export function keepClientsApart({ onResolve }) {
  const files = { 'pg/lib/client.js': 'postgres.cjs', aws4fetch: 'aws4fetch.cjs' };
  for (const [client, file] of Object.entries(files))
    onResolve({ filter: new RegExp(`^${client}$`) }, ({ importer }) =>
      importer.endsWith(`/scripts/${file}`) ? undefined : { path: `./${file}`, external: true },
    );
}

function usePartOfUndici({ onResolve }) {
  onResolve({ filter: /^undici$/ }, () => ({ path: resolve('scripts/undici.mjs') }));
  onResolve({ filter: /\/client-h2\.js$/ }, () => ({ path: resolve('scripts/no-http2.cjs') }));
  onResolve({ filter: /^node:http$/ }, ({ importer }) =>
    importer.includes('/node_modules/undici/') ? { path: resolve('scripts/no-http.cjs') } : undefined,
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

function escape(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function digestOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

// A bin needs its shebang on line one and the execute bit.
async function makeExecutable(file) {
  const text = await readFile(file, 'utf8');
  if (!text.startsWith('#!')) await writeFile(file, `#!/usr/bin/env node\n${text}`);
  await chmod(file, 0o755);
}
