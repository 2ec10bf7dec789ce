import { build } from 'esbuild';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentFile } from './document.ts';
import { runningEmulator } from './running-emulator.ts';

// Nothing generated is kept: the client is made here, inside node_modules so that it finds its packages.

const cache = join(import.meta.dirname, '../../node_modules/.cache/sluice');
let folder: string;

beforeAll(async () => {
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'openapi-client-'));
  await writeFile(join(folder, 'api.d.ts'), astToString(await openapiTypescript(pathToFileURL(documentFile))));
  await writeFile(join(folder, 'walk.ts'), await readFile(join(import.meta.dirname, 'walk.ts.txt')));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('a client generated from the document has the types of what it does', () => {
  expect(typeErrors(join(folder, 'walk.ts'))).toEqual([]);
});

test('its types refuse what the API does not take', async () => {
  const file = join(folder, 'wrong.ts');
  const wrong = [
    `client.POST('/reserved_addrs', { params: { header }, body: { region: 'moon' } });`,
    `client.POST('/agent_ingresses', { params: { header }, body: {} });`,
    `client.PUT('/edges/https/{id}', { params: { header, path: { id: 'edghts_1' } }, body: {} });`,
    `client.GET('/reserved_addrs', { params: { header: { 'Example-Version': '3' } } });`,
  ];
  await writeFile(
    file,
    [
      `import createClient from 'openapi-fetch';`,
      `import type { paths } from './api.d.ts';`,
      `const client = createClient<paths>();`,
      `const header = { 'Example-Version': '2' } as const;`,
      ...wrong.map((line) => `void ${line}`),
    ].join('\n'),
  );
  const lines = new Set(typeErrors(file).map((problem) => Number(/^wrong\.ts:(\d+)/.exec(problem)?.[1])));
  expect([...lines].sort((a, b) => a - b)).toEqual(wrong.map((_, at) => at + 5));
});

test('it lists, pages, creates, updates and deletes against sluice emulator', async () => {
  const seen = await walk(await runningEmulator('--seed', 'client'));
  expect(seen).toMatchObject({
    created: ['eu', 'us', 'jp', 'in', 'sa'].map((region) => ({ region, description: `the address in ${region}` })),
    updated: { description: 'the office VPN', metadata: '{"team":"net"}', region: 'eu' },
    afterDelete: { status: 404, message: 'The requested resource was not found.' },
    left: 4,
    refused: { status: 400, code: 'INVALID_FORMAT' },
    route: { description: 'everything', compression: { enabled: true }, backend: { backend: { id: 'bkdhr_1' } } },
    circuitBreaker: { enabled: true, volume_threshold: 40, num_buckets: 10 },
    edge: { hostports: ['shop.example.com:443'], tls_termination: { min_version: '1.3' }, routes: [{ oauth: null }] },
    edges: [],
    report: 'PENDING',
    sessions: 0,
    stopped: 404,
  });
  expect(seen.pages.map((page) => page.length)).toEqual([2, 2, 1]);
  expect(seen.pages.flat().sort()).toEqual(seen.created.map(({ id }) => id).sort());
});

interface Seen {
  readonly created: readonly { readonly id: string }[];
  readonly pages: readonly (readonly string[])[];
}

/** The client's program, made runnable. */
async function walk(baseUrl: string): Promise<Seen> {
  const outfile = join(folder, 'walk.mjs');
  await build({ entryPoints: [join(folder, 'walk.ts')], outfile, bundle: true, packages: 'external', format: 'esm' });
  const program = (await import(pathToFileURL(outfile).href)) as { walk: (baseUrl: string) => Promise<Seen> };
  return program.walk(baseUrl);
}

function typeErrors(file: string): readonly string[] {
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
  });
  return ts.getPreEmitDiagnostics(program).map(({ file: source, start = 0, messageText }) => {
    const line = source === undefined ? 0 : source.getLineAndCharacterOfPosition(start).line + 1;
    const name = source?.fileName.split('/').at(-1) ?? '';
    return `${name}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
