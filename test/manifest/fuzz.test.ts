import fc from 'fast-check';
import { stringify } from 'yaml';
import { describe, expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { makeVariables } from '../../src/manifest/variables/variables.ts';
import { diagnosticsText } from '../../src/render/diagnostics/diagnostics-text.ts';
import { anyItem } from '../generators/stack.ts';
import { documentsOf } from '../support/manifest-text.ts';
import { loadDefaults } from '../support/load-defaults.ts';
import { sampleSize } from '../support/samples.ts';

// A failure prints the seed and the manifest; SLUICE_FUZZ_SEED=n runs that one again.
const seed = Number(process.env['SLUICE_FUZZ_SEED'] ?? 20_260_101);
const cases = sampleSize(400, 5000);

const words = [
  'ref',
  'from_env',
  'from_file',
  'var',
  'template',
  'field',
  'output',
  'stack',
  'address',
  '${var.host}',
  'List',
  'External',
  'routes',
  'name',
  'sluice/v1',
  '__proto__',
  'spec',
];
const variables = makeVariables(
  new Map([
    ['host', { type: 'string', value: 'shop.example.com' }],
    ['hosts', { type: 'list', value: ['a.example.com:443', 7] }],
    ['unset', { type: 'string' }],
  ]),
  { apiKeys: [], others: [] },
);
const oddValue = fc.oneof(
  fc.constantFrom(
    null,
    true,
    -1,
    0.5,
    2 ** 31,
    1e21,
    '',
    [],
    {},
    [[]],
    [null],
    { ref: 'shop' },
    { from_env: 'NOT_SET' },
    { output: { stack: '../network', address: 'ReservedAddr/mqtt', field: 'addr' } },
    { output: { stack: '../\u001b[2J', address: 'ReservedAddr/\0', field: '__proto__' } },
    { output: null },
    { var: 'host' },
    { var: 'hosts' },
    { var: 'unset' },
    { template: 'https://${var.host}/$${' },
    { template: '${var.' },
  ),
  fc.constantFrom(
    '\0',
    '\u202e',
    '\ud800',
    '{',
    '{"sluice": 1}',
    '../../etc/passwd',
    'a'.repeat(5000),
    '\n- x',
    '~',
    '<<',
  ),
  fc.constantFrom(...words),
  fc.string(),
  fc.jsonValue({ maxDepth: 4 }),
);

const anyDocument = fc.oneof(...kinds.all.map((kind) => anyItem(kind, kinds))).map((item) => {
  const documents = documentsOf([{ ...item, form: item.name === undefined ? 'alone' : item.form }], kinds);
  return documents.at(-1) ?? {};
});

/** A valid manifest of which a few fields, chosen by number, hold something odd, are gone, or go by another name. */
const structured = fc
  .tuple(
    fc.array(anyDocument, { minLength: 1, maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('set', 'drop', 'rename', 'wrap'), oddValue), { maxLength: 4 }),
    fc.boolean(),
  )
  .map(([documents, changes, json]) => {
    const value: unknown = structuredClone(
      documents.length === 1 ? documents[0] : { apiVersion: 'sluice/v1', kind: 'List', items: documents },
    );
    for (const change of changes) disturb(value, ...change);
    return Buffer.from(json ? JSON.stringify(value) : stringify(value, { aliasDuplicateObjects: false }));
  });

/** A valid manifest as bytes, of which some are changed, doubled, cut out, or replaced by what means something in YAML. */
const bytewise = fc
  .tuple(
    anyDocument.map((document) => Buffer.from(stringify(document))),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat({ max: 40 }),
        fc.oneof(
          fc.constantFrom(
            '&a ',
            '*a',
            '!t ',
            '<<: ',
            '---\n',
            '...\n',
            '%YAML 1.1\n',
            '? ',
            ': ',
            '- ',
            '[',
            '{',
            '"',
            "'",
            '|\n',
            '\t',
            '# ',
          ),
          fc.uint8Array({ maxLength: 6 }),
        ),
      ),
      { minLength: 1, maxLength: 8 },
    ),
  )
  .map(([bytes, edits]) =>
    edits.reduce((text, [at, length, by]) => {
      const from = at % (text.length + 1);
      return Buffer.concat([text.subarray(0, from), Buffer.from(by), text.subarray(from + (length > 20 ? 0 : length))]);
    }, bytes),
  );

describe('fuzzed manifests end in resources or diagnostics', () => {
  test('when fields hold something odd', () => survives(structured));
  test('when bytes are something else', () => survives(bytewise));
});

/** No exception, every problem with a place in its file, nothing printed that acts, and never two seconds of CPU. */
async function survives(manifests: fc.Arbitrary<Buffer>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(manifests, async (bytes) => {
      const before = process.cpuUsage();
      const stdin = () => Promise.resolve(bytes);
      const stack = await loadManifests({ ...loadDefaults, dir: '/nowhere', inputs: ['-'], stdin, variables });
      for (const { spec, places } of stack.resources) for (const field of Object.keys(spec)) places.of([field]);
      const reported = diagnosticsText(stack.diagnostics);
      const { user, system } = process.cpuUsage(before);
      expect(user + system).toBeLessThan(2_000_000);
      expect(reported).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
      expect(reported).not.toMatch(/undefined|\[object/);
      for (const { place } of stack.diagnostics) expect(place?.file).toBe('<stdin>');
    }),
    { seed, numRuns: cases, endOnFailure: true },
  );
}

function disturb(root: unknown, at: number, how: string, by: unknown): void {
  const spots: (() => void)[] = [];
  collect(root);
  spots[at % Math.max(1, spots.length)]?.();

  function collect(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const holder = value as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      spots.push(() => {
        const old = holder[key];
        if (how === 'set') holder[key] = by;
        else if (how === 'wrap') holder[key] = [old];
        else if (Array.isArray(holder)) holder.pop();
        else Reflect.deleteProperty(holder, key);
        if (how === 'rename' && !Array.isArray(holder)) holder[`${key}s`] = old;
      });
      collect(holder[key]);
    }
  }
}
