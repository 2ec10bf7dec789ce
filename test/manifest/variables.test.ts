import fc from 'fast-check';
import { stringify } from 'yaml';
import { expect, test } from 'vitest';
import { fieldAt } from '../../src/derive/field-at.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Field, Kind } from '../../src/kinds/kind.ts';
import type { Path } from '../../src/kinds/value.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { templateParts } from '../../src/manifest/variables/template.ts';
import { makeVariables, type Variable } from '../../src/manifest/variables/variables.ts';
import type { DesiredStack } from '../../src/model/resource.ts';
import { anyItem } from '../generators/stack.ts';
import { reportOf } from '../support/manifests.ts';
import { documentsOf } from '../support/manifest-text.ts';
import { loadDefaults } from '../support/load-defaults.ts';

test.each([
  ['', []],
  ['plain', ['plain']],
  ['${var.host}', [{ variable: 'host' }]],
  ['https://${var.host}/${ var.path }?', ['https://', { variable: 'host' }, '/', { variable: 'path' }, '?']],
  ['$${var.host} $5 {a} $', ['${', 'var.host} $5 {a} $']],
  ['$${HOME:-${var.host}}', ['${', 'HOME:-', { variable: 'host' }, '}']],
])('the template %j has the parts %j', (text, parts) => {
  expect(templateParts(text)).toEqual({ parts });
});

test.each(['${var.host', '${', 'a ${var.} b', '${host}', '${var.a b}'])('%j is not a template', (text) => {
  expect(templateParts(text)).toHaveProperty('message');
});

test('the text of a template is not shown where it is a secret', async () => {
  const route = (secret: string): string => `apiVersion: sluice/v1
kind: HTTPSEdgeRoute
spec:
  edge_id: edghts_1
  match_type: path_prefix
  match: /
  oidc: {issuer: "https://i.example.com", client_id: c, client_secret: {template: "${secret}"}}
`;
  for (const secret of ['hunter2', 'hunter2-${var.unknown}', '${hunter2}', '${hunter2']) {
    const reported = await reportOf(route(secret));
    expect(reported).toMatch(/(SECRET_IN_MANIFEST|UNKNOWN_VARIABLE|INVALID_TEMPLATE)\] stack.yaml:7:/);
    expect(reported).not.toContain('hunter2');
  }
});

test('variables made of variables are resolved once each, however often they are named', () => {
  const names = Array.from({ length: 400 }, (_, at) => `v${String(at)}`);
  const declared = new Map<string, Variable>(
    names.map((name, at) => [
      name,
      { type: 'string', value: at === 399 ? '' : { template: `\${var.v${String(at + 1)}}\${var.v${String(at + 1)}}` } },
    ]),
  );
  expect(makeVariables(declared, { apiKeys: [], others: [] })({ var: 'v0' })).toEqual({ value: '' });
});

test('a manifest with variables is the manifest with their values: the same resources, and the same problems', async () => {
  let replaced = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(...kinds.all.map((kind) => anyItem(kind, kinds).map((item) => ({ kind, item })))),
      fc.array(fc.constantFrom('var', 'template', 'text'), { minLength: 1, maxLength: 9 }),
      async ({ kind, item }, forms) => {
        const documents = documentsOf([{ ...item, form: item.name === undefined ? 'alone' : item.form }], kinds);
        const declared = new Map<string, Variable>();
        const written = documents.map((document) => ({
          ...document,
          ...(document['kind'] === kind.name ? { spec: withVariables(document['spec'], kind, forms, declared) } : {}),
        }));
        replaced += declared.size;
        const variables = makeVariables(declared, { apiKeys: [], others: [] });
        expect(shown(await loaded(written, variables))).toEqual(shown(await loaded(documents, variables)));
      },
    ),
    { seed: 20_261_122, numRuns: 300 },
  );
  expect(replaced).toBeGreaterThan(200);
});

/** A spec in which some texts of known fields, chosen in turn, are a variable or a template. */
function withVariables(spec: unknown, kind: Kind, forms: readonly string[], declared: Map<string, Variable>): unknown {
  let at = 0;
  return visit(spec, []);

  /** The field of the kind, or of a resource written inside it. */
  function fieldOf(path: Path): Field | undefined {
    const inner = kinds.within(kind.name).find(({ within }) => within.embeddedAs === path[0]);
    return inner === undefined ? fieldAt(kind.fields, path) : fieldAt(inner.fields, path.slice(2));
  }

  function visit(value: unknown, path: Path): unknown {
    const field = fieldOf(path);
    if (typeof value === 'string' && field?.is === 'leaf' && field.secret !== true) {
      const form = forms[at++ % forms.length];
      const name = `v${String(declared.size)}`;
      if (form === 'text') return value;
      if (form === 'template') return { template: value.replaceAll('${', '$${') };
      declared.set(name, { type: 'string', value });
      return { var: name };
    }
    // What is inside a text that is written as a mapping belongs to it.
    if (typeof value !== 'object' || value === null || field?.is === 'leaf') return value;
    if (Array.isArray(value)) return value.map((one, index) => visit(one, [...path, index]));
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, visit(one, [...path, key])]));
  }
}

function loaded(documents: readonly unknown[], variables: ReturnType<typeof makeVariables>): Promise<DesiredStack> {
  const text = documents.map((document) => stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }));
  const stdin = () => Promise.resolve(Buffer.from(text.join('---\n')));
  return loadManifests({ ...loadDefaults, dir: '/nowhere', inputs: ['-'], stdin, variables });
}

/** Values and problems; lines move, because a variable takes more of them in YAML than its value. */
function shown({ resources, diagnostics }: DesiredStack): unknown {
  return {
    resources: resources.map(({ address, spec, lifecycle }) => JSON.stringify([address, spec, lifecycle])),
    problems: diagnostics.map(({ code, message }) => `${code} ${message}`),
  };
}
