// Opens manifests in the language server that editors use, and checks what a person sees: npm ci && npm run try
import assert from 'node:assert/strict';
import { startLanguageServer } from './language-server.mjs';

const manifest = new URL('../schemas/manifest.schema.json', import.meta.url).href;
const settings = new URL('../schemas/sluice.schema.json', import.meta.url).href;
const edge = 'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec:\n';
const address = 'apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: mqtt}\nspec:\n';
const stack = 'version: 1\nstack: {name: shop, id: 7f3a9c21}\n';

/** What is written, and what the editor shows: all of `only`, or some of `has`. */
const situations = [
  ['a valid manifest has no diagnostics', `${edge}  hostports: [shop.example.com:443]\n`, 'diagnostics', { only: [] }],
  ['a misspelled field is underlined', `${edge}  hostprots: []\n`, 'diagnostics', { has: [/^5: Property hostprots/] }],
  ['a wrong type is underlined', `${edge}  hostports: 5\n`, 'diagnostics', { has: [/^5: /] }],
  ['a region that does not exist is underlined', `${address}  region: xx\n`, 'diagnostics', { has: [/^5: .*"eu"/s] }],
  [
    'an unknown kind is underlined',
    'apiVersion: sluice/v1\nkind: HTTPEdge\n',
    'diagnostics',
    { has: [/^2: .*"HTTPSEdge"/s] },
  ],
  ['a field explains itself', `${edge}  host^ports: [a:443]\n`, 'hover', { has: [/hostname:port|hostports/i] }],
  [
    'a field of a module explains itself',
    `${edge}  routes:\n    - match_type: path_prefix\n      match: /\n      backend: {backend_id: b}\n      webhook_verification: {pro^vider: github, secret: {from_env: S}}\n`,
    'hover',
    { has: [/Webhook provider/] },
  ],
  ['the fields of a kind are offered', `${edge}  ^\n`, 'complete', { has: ['hostports', 'routes', 'mutual_tls'] }],
  ['the values of a field are offered', `${address}  region: ^\n`, 'complete', { has: ['eu', 'us'] }],
  [
    'the kinds are offered',
    'apiVersion: sluice/v1\nkind: ^\n',
    'complete',
    { has: ['HTTPSEdge', 'External', 'ModuleSet'] },
  ],
  [
    'a setting explains itself',
    `${stack}policy: {max_^deletes: 3}\n`,
    'hover',
    { has: [/Maximum number of resources/] },
    settings,
  ],
  [
    'the settings of watch are offered',
    `${stack}watch:\n  ^\n`,
    'complete',
    { has: ['heal_drift', 'interval'] },
    settings,
  ],
  [
    'an unknown setting is underlined',
    `${stack}manifest: [a]\n`,
    'diagnostics',
    { has: [/^3: Property manifest/] },
    settings,
  ],
];

// A server that never answers must not hang a pipeline.
setTimeout(() => process.exit(1), 120_000).unref();

const server = await startLanguageServer();
let failed = 0;
for (const [name, text, what, { only, has = [] }, schema = manifest] of situations) {
  const shown = [await server.open(text, schema)[what]()].flat();
  try {
    if (only !== undefined) assert.deepEqual(shown, only);
    for (const one of has)
      assert(
        shown.some((line) => (one instanceof RegExp ? one.test(line) : line === one)),
        `${String(one)} is missing`,
      );
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${error.message}\n        shown: ${JSON.stringify(shown)}`);
  }
}
server.stop();
process.exitCode = failed === 0 ? 0 : 1;
