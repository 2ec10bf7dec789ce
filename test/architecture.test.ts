import { readdirSync, readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kinds } from '../src/kinds/index.ts';
import type { Field, Fields } from '../src/kinds/kind.ts';
import {
  commentProblems,
  exportedNames,
  importedFiles,
  kindProblems,
  layerProblems,
  shapeProblems,
  variableName,
  type KindWords,
  type Source,
} from './support/source-rules.ts';

// Files that may speak of one kind: the emulator's behaviours, and commands that act on one family.
const mayNameKinds = [
  /^src\/kinds\//,
  /^src\/emulator\/(agents|certificates|served-endpoints)[^/]*(\/|$)/,
  /^src\/emulator\/behaviours\//,
  /^src\/emulator\/gateway\//,
  /^src\/cli\/commands\/(sessions|endpoints|abuse-reports)[^/]*(\/|$)/,
];

// Field names that are also words of the API itself: error bodies have an error_code.
const wordsOfTheApi = new Set(['error_code']);

// What opens connections of its own: everything of undici but its dispatcher, fetch, Node's client, and the driver of PostgreSQL.
const connects =
  /^import \{[^}]*\b(Agent|Client|Pool|\w*ProxyAgent|buildConnector|fetch|request|connect)\b[^}]*\} from '(undici|node:\w+)'|\bfetch\(|^import \w+ from 'pg[/']/m;

// The named z of zod, for values: it drags every locale into the bundle. `import * as z` does not.
const wholeZod = /^import (?!type )[^;]*\{[^;]*from 'zod'/m;

// What runs code that is no import: processes, threads, scripts, and imports whose name is not written out.
const runs =
  /from 'node:(child_process|worker_threads|vm|cluster|repl|inspector)'|\bcreateRequire\(|\beval\(|\bnew Function\(|\bimport\([^'"]/m;

describe('the sources', () => {
  const src = sourcesIn('src');
  const tests = sourcesIn('test');
  const words = wordsOfKinds();

  test('import only their own folder and earlier layers', () => {
    expect(src.flatMap(layerProblems)).toEqual([]);
  });

  test('have telling folders, no barrels and no file above 400 lines', () => {
    expect([...src, ...tests].flatMap(shapeProblems)).toEqual([]);
  });

  test('export no name twice', () => {
    const names = src.flatMap(({ path, text }) => exportedNames(path, text).map((name) => [name, path] as const));
    expect(inSeveralFiles(names)).toEqual([]);
  });

  test('give a file name one meaning', () => {
    // Kinds and their modules have the API's names, also in the emulator; a folder's main file has the folder's name.
    const named = src.map(({ path }) => path).filter((path) => !/^src\/(kinds|emulator\/behaviours)\//.test(path));
    const own = named.filter((path) => posix.basename(path, '.ts') !== posix.basename(posix.dirname(path)));
    expect(inSeveralFiles(own.map((path) => [posix.basename(path), path] as const))).toEqual([]);
  });

  test('say above each export what it is for', () => {
    expect(src.flatMap(commentProblems)).toEqual([]);
  });

  test('connect to other machines where proxies and authorities are known, and to the store of the state alone', () => {
    const connecting = src.filter(({ text }) => connects.test(text)).map(({ path }) => path);
    // The other is a script for browsers.
    expect(connecting.sort()).toEqual([
      'src/api/connection/network.ts',
      'src/api/connection/tunnel.ts',
      'src/render/status/page/status-script.ts',
      'src/state/postgres/postgres-connection.ts',
      'src/state/s3/s3-exchange.ts',
      // A socket of this machine.
      'src/watch/control/ask-watch.ts',
    ]);
  });

  test('import of zod what they use, not the name that holds every locale', () => {
    const importing = [...src, ...tests, ...sourcesIn('scripts'), ...sourcesIn('bench')];
    expect(importing.filter(({ text }) => wholeZod.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('are tested with the modules that they have: files of one process share them, and on Node 24 none can be replaced', () => {
    expect(tests.filter(({ text }) => /\bvi\.(do)?mock\(/i.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('let the gateway decide independently: from the description, without the selectors of kinds and the model of plans', () => {
    const mayUse = /^src\/(emulator\/(gateway|account|certificates|forms|http|answer|family)\b|kinds\/value\.ts)/;
    const foreign = src
      .filter(({ path }) => path.startsWith('src/emulator/gateway/'))
      .flatMap(({ path, text }) => importedFiles({ path, text }).filter((target) => !mayUse.test(target)));
    expect(foreign).toEqual([]);
  });

  test('run nothing but the program itself, and git to read commits', () => {
    const running = src.filter(({ text }) => runs.test(text)).map(({ path }) => path);
    expect(running.sort()).toEqual([
      'src/cli/code-cache.ts',
      'src/stack/git/read-git.ts',
      'src/state/lease/lease-thread.ts',
      'src/state/lease/thread-tasks.ts',
    ]);
  });

  test('use AbortSignal.any nowhere but for two signals that somebody holds: Node 20 keeps what it makes, and loses timeouts in it', () => {
    const using = src.filter(({ text }) => text.includes('AbortSignal.any(['));
    expect(using.map(({ path }) => path)).toEqual(['src/stack/service/clients.ts']);
  });

  test('name a kind or its fields only in src/kinds and the files excepted from that', () => {
    const ruled = src.filter(({ path }) => !mayNameKinds.some((excepted) => excepted.test(path)));
    expect(ruled.flatMap((source) => kindProblems(source, words))).toEqual([]);
  });
});

describe('the layer rule', () => {
  test.each([
    ['src/plan/plan.ts', `import { x } from '../manifest/read.ts';`],
    ['src/plan/plan.ts', `import type { X } from '../api/client.ts';`],
    ['src/plan/plan.ts', `export { load } from '../state/store.ts';`],
    ['src/plan/plan.ts', `const { apply } = await import('../apply/apply.ts');`],
    ['src/kinds/kind.ts', `import { code } from '../diagnostics/codes.ts';`],
    ['src/model/address.ts', `import { toWire } from '../derive/to-wire.ts';`],
    ['src/apply/apply.ts', `import { serve } from '../emulator/server.ts';`],
    ['src/index.ts', `export { serve } from './emulator/server.ts';`],
    ['src/cli/main.ts', `import { plan } from '../index.ts';`],
    ['src/cli/main.ts', `import { build } from '../../scripts/build.mjs';`],
    ['src/engine/engine.ts', ``],
    ['src/stray.ts', ``],
  ])('refuses in %s: %s', (path, text) => {
    expect(layerProblems({ path, text })).toHaveLength(1);
  });

  test.each([
    ['src/plan/plan.ts', `import { order } from './order.ts';\nimport { compare } from '../derive/compare.ts';`],
    ['src/kinds/https-edge-route/oauth.ts', `import { text } from '../fields.ts';\nimport { z } from 'zod';`],
    ['src/cli/commands/emulator/emulator-command.ts', `const { serve } = await import('../../emulator/server.ts');`],
    ['src/cli/main.ts', `import about from '../../package.json' with { type: 'json' };`],
    ['src/plan/plan.ts', `// import { read } from '../manifest/read.ts';`],
  ])('allows in %s: %s', (path, text) => {
    expect(layerProblems({ path, text })).toEqual([]);
  });
});

describe('the shape rule', () => {
  test.each([
    ['src/plan/utils/sort.ts', ''],
    ['test/common/stack.ts', ''],
    ['src/plan/index.ts', ''],
    ['src/plan/plan.ts', '\n'.repeat(401)],
  ])('refuses %s', (path, text) => {
    expect(shapeProblems({ path, text })).toHaveLength(1);
  });

  test.each([
    ['src/index.ts', ''],
    ['src/kinds/index.ts', ''],
    ['src/kinds/https-edge-route/index.ts', ''],
    ['src/plan/plan.ts', '\n'.repeat(400)],
  ])('allows %s', (path, text) => {
    expect(shapeProblems({ path, text })).toEqual([]);
  });
});

describe('the comment rule', () => {
  test.each([
    `export const a = 1;`,
    `// Far away.\n\nexport interface A {}`,
    `const a = 1; // Beside another.\nexport type B = 'b';`,
    `// oxlint-disable-next-line max-lines\nexport function a(): void {}`,
    `const a = 1;\nexport { a };`,
  ])('refuses %j', (text) => {
    expect(commentProblems({ path: 'src/plan/plan.ts', text })).toHaveLength(1);
  });

  test.each([
    `// What it is for.\nexport const a = 1;`,
    `#!/usr/bin/env node\n/** What it is for. */\nexport async function a(): Promise<void> {}`,
    `/**\n * What it is for.\n */\nexport abstract class A {}`,
    `// Twice.\nexport function a(x: string): void;\nexport function a(x: number): void;`,
    `export { a } from './a.ts';`,
  ])('allows %j', (text) => {
    expect(commentProblems({ path: 'src/plan/plan.ts', text })).toEqual([]);
  });
});

describe('the rule that only kinds name kinds', () => {
  const words = wordsOfKinds();

  test.each([
    `if (kind.name === 'HTTPSEdge') stop();`,
    'const message = `an HTTPSEdgeRoute of ${edge} is gone`;',
    `import { reservedAddr } from '../kinds/reserved-addr.ts';`,
    `const guard = spec.mutual_tls;`,
    `const guard = spec['ca_pem'];`,
    `const hint = 'write it as hostports: [...]';`,
    `const body = { traffic_policy: null };`,
    'const secret = /client_secret/;',
  ])('refuses %s', (text) => {
    expect(kindProblems({ path: 'src/plan/plan.ts', text }, words)).toHaveLength(1);
  });

  test.each([
    `// An HTTPSEdge has mutual_tls.\nconst a = 1;`,
    `/** As HTTPSEdge.hostports does. */\nconst a = 1;`,
    `const { error_code, created_at, description } = answer;`,
    `const format = field.format === 'pem';`,
  ])('allows %s', (text) => {
    expect(kindProblems({ path: 'src/plan/plan.ts', text }, words)).toEqual([]);
  });
});

/** Names that are paired with more than one path. */
function inSeveralFiles(pairs: readonly (readonly [string, string])[]): readonly string[] {
  const paths = new Map<string, Set<string>>();
  for (const [name, path] of pairs) paths.set(name, (paths.get(name) ?? new Set()).add(path));
  return [...paths].filter(([, { size }]) => size > 1).map(([name, found]) => `${name} in ${[...found].join(', ')}`);
}

// The folder's TypeScript files.
function sourcesIn(folder: string): readonly Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => posix.join(folder, name.replaceAll(sep, '/')))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

// A field name gives its kind away when it has an underscore and not every kind has it.
function wordsOfKinds(): KindWords {
  const owners = new Map<string, Set<string>>();
  for (const { name, fields } of kinds.all) {
    for (const field of fieldNames(fields)) owners.set(field, (owners.get(field) ?? new Set()).add(name));
  }
  const telling = [...owners].filter(
    ([name, { size }]) => name.includes('_') && size < kinds.all.length && !wordsOfTheApi.has(name),
  );
  return {
    kinds: new Set(kinds.all.flatMap(({ name }) => [name, variableName(name)])),
    fields: new Set(['hostports', ...telling.map(([name]) => name)]),
  };
}

function fieldNames(fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => [name, ...fieldNames(fieldsInside(field))]);
}

function fieldsInside(field: Field): Fields {
  if (field.is === 'group') return field.fields;
  return field.is === 'list' ? fieldsInside(field.of) : {};
}
