import { describe, expect, test } from 'vitest';
import { diagnosticsText } from '../../src/render/diagnostics/diagnostics-text.ts';
import { loadDirectory, loadFiles, loadText, reportOf, temporaryFiles } from '../support/manifests.ts';

const inside = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: []
  routes:
    - name: cart
      labels: {team: web}
      lifecycle: {protect: true}
      match_type: path_prefix
      match: /cart
      backend: {backend_id: bkd_1}
`;

const alone = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec: {hostports: []}
---
apiVersion: sluice/v1
kind: HTTPSEdgeRoute
metadata: {name: cart, labels: {team: web}}
lifecycle: {protect: true}
spec:
  edge_id: {ref: shop}
  match_type: path_prefix
  match: /cart
  backend: {backend_id: bkd_1}
`;

describe('manifests are read in every form', () => {
  test('a route means the same inside its edge and on its own', async () => {
    const [first, second] = [await loadText(inside), await loadText(alone)];
    const wanted = ({ resources }: typeof first) =>
      resources.map(({ address, labels, lifecycle, spec }) => ({ address, labels, lifecycle, spec }));
    expect(first.diagnostics).toEqual([]);
    expect(wanted(first)).toEqual(wanted(second));
    expect(wanted(first)[1]).toMatchObject({ address: 'HTTPSEdgeRoute/shop:cart', labels: { team: 'web' } });
  });

  test('a route without a name goes by its match, and a literal edge id stands in its address', async () => {
    const stack = await loadText(alone.replace('name: cart, ', '').replace('{ref: shop}', 'edghts_9'));
    expect(stack.resources.map(({ address }) => address)).toEqual(['HTTPSEdge/shop', 'HTTPSEdgeRoute/edghts_9:/cart']);
  });

  test('as JSON, in a List, with a byte order mark, and from standard input', async () => {
    const item = { apiVersion: 'sluice/v1', kind: 'ReservedAddr', metadata: { name: 'a' }, spec: { region: 'eu' } };
    const stack = await loadFiles(
      {
        'a.json': JSON.stringify(item, null, '\t'),
        'b.yaml': `\ufeff${JSON.stringify({ apiVersion: 'sluice/v1', kind: 'List', items: [{ ...item, metadata: { name: 'b' } }] })}`,
      },
      {
        inputs: ['.', '-'],
        stdin: () => Promise.resolve(Buffer.from(JSON.stringify({ ...item, metadata: { name: 'c' } }))),
      },
    );
    expect(stack.diagnostics).toEqual([]);
    expect(stack.resources.map(({ address, place }) => `${address} ${place.file}`)).toEqual([
      'ReservedAddr/a a.json',
      'ReservedAddr/b b.yaml',
      'ReservedAddr/c <stdin>',
    ]);
  });

  test.each([
    ['items: []', 'MISSING_FIELD'],
    ['apiVersion: v1\nitems: []', 'INVALID_VALUE'],
    ['apiVersion: sluice/v1', 'INVALID_TYPE'],
    ['apiVersion: sluice/v1\nitems: null', 'INVALID_TYPE'],
  ])('a List with %j is an error, as in its schema', async (rest, code) => {
    const stack = await loadText(`kind: List\n${rest}\n`);
    expect(stack.diagnostics.map((one) => one.code)).toEqual([code]);
  });

  test('with a byte order mark, which is no column', async () => {
    expect(await reportOf('\ufeffkind: Unknown\n')).toMatch(
      /^error\[UNKNOWN_KIND\] stack.yaml:1:1: .*\n    1 \| kind: Unknown\n      \| \^\^\^\^\n/,
    );
  });

  test('of a directory only visible .yaml, .yml and .json files, and each once', async () => {
    const address = (name: string) => `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}}\n`;
    const stack = await loadFiles(
      {
        'b/deep/x.yml': address('x'),
        'a.yaml': address('a'),
        'README.md': 'no',
        '.hidden.yaml': 'no',
        '.git/y.yaml': 'no',
        'empty.yaml': '# nothing\n---\n',
      },
      { inputs: ['.', 'a.yaml'] },
    );
    expect(stack.diagnostics).toEqual([]);
    expect(stack.resources.map(({ place }) => place.file)).toEqual(['a.yaml', 'b/deep/x.yml']);
  });

  test('but not from a directory without a single file, as an unfinished sync leaves it', async () => {
    const stack = await loadFiles({ 'README.md': 'moved' });
    expect(diagnosticsText(stack.diagnostics)).toMatchInlineSnapshot(`
      "error[NO_MANIFESTS]: no manifest file was found; without any manifest file, sluice deletes nothing
         hint: add a manifest, or an empty manifest file if the stack must have no resources; \`sluice explain\` lists the kinds
      "
    `);
    expect((await loadFiles({ 'stack.yaml': '' })).diagnostics).toEqual([]);
  });

  test('nor from one of several, as a volume that is not mounted leaves it', async () => {
    const dir = temporaryFiles({ 'a/stack.yaml': '', 'b/README.md': 'moved' });
    const options = { inputs: ['a', 'b'] };
    expect(diagnosticsText((await loadDirectory(dir, options)).diagnostics)).toMatchInlineSnapshot(`
      "error[NO_MANIFESTS] b:1:1: the directory has no manifest file, so sluice deletes nothing
         hint: add a manifest file to the directory (an empty one is enough), or remove the directory from \`manifests\` in sluice.yaml, or from the -f flags
      "
    `);
    expect((await loadDirectory(dir, { ...options, whole: false })).diagnostics).toEqual([]);
    expect((await loadDirectory(dir, { inputs: ['a', 'a/stack.yaml', '.'] })).diagnostics).toEqual([]);
  });

  test('not from what is not there', async () => {
    expect(diagnosticsText((await loadFiles({}, { inputs: ['manifests'] })).diagnostics)).toMatchInlineSnapshot(`
      "error[FILE_NOT_FOUND] manifests:1:1: the file does not exist
         hint: correct the path under \`manifests\` in sluice.yaml, or after -f; to read all manifests of a directory, name the directory
      "
    `);
  });
});

describe('the envelope is strict', () => {
  test('unknown keys, kinds and versions are reported with what may have been meant', async () => {
    expect(
      await reportOf(`apiVersion: sluice/v2
kind: HTTPSEgde
metadata: {name: shop}
---
apiVersion: sluice/v2
kind: HTTPSEdge
metadata: {name: Shop, label: {team: 1}}
lifecyle: {}
spce: {}
---
- not a mapping
`),
    ).toMatchInlineSnapshot(`
      "error[UNKNOWN_KIND] stack.yaml:2:1: unknown kind \`HTTPSEgde\`
          2 | kind: HTTPSEgde
            | ^^^^
         hint: did you mean \`HTTPSEdge\`?

      error[INVALID_VALUE] stack.yaml:5:1: \`apiVersion\` must be sluice/v1, not "sluice/v2"
          5 | apiVersion: sluice/v2
            | ^^^^^^^^^^

      error[INVALID_NAME] stack.yaml:7:12: \`HTTPSEdge.metadata.name\` must be a DNS label: lower-case letters, digits and inner hyphens, at most 63 characters, not "Shop"
          7 | metadata: {name: Shop, label: {team: …}}
            |            ^^^^

      error[UNKNOWN_FIELD] stack.yaml:7:24: unknown field \`label\` in HTTPSEdge.metadata
          7 | metadata: {name: Shop, label: {team: …}}
            |                        ^^^^^
         hint: did you mean \`labels\`?

      error[UNKNOWN_FIELD] stack.yaml:8:1: unknown field \`lifecyle\` in HTTPSEdge
          8 | lifecyle: {}
            | ^^^^^^^^
         hint: did you mean \`lifecycle\`?

      error[UNKNOWN_FIELD] stack.yaml:9:1: unknown field \`spce\` in HTTPSEdge
          9 | spce: {}
            | ^^^^
         hint: did you mean \`spec\`?

      error[INVALID_MANIFEST] stack.yaml:11:1: the document is not a manifest: it must be a mapping with \`apiVersion\`, \`kind\`, \`metadata\` and \`spec\`
      "
    `);
  });

  test('labels are text, lifecycle knows its fields', async () => {
    expect(
      await reportOf(`apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop, labels: {tier: 1}}
lifecycle:
  protect: yes please
  on_remove: keep
  ignore: [/description, /hostport, hostports, spec/description, /mutual_tls/enabled]
  adopt_from: 7f3a9c21
  moved_from: shop
  protected: true
spec: {hostports: []}
`),
    ).toMatchInlineSnapshot(`
      "error[INVALID_LABEL] stack.yaml:3:33: \`HTTPSEdge.metadata.labels.tier\` must be a string
          3 | metadata: {name: shop, labels: {tier: 1}}
            |                                 ^^^^
         hint: put the value in quotes

      error[INVALID_LIFECYCLE] stack.yaml:5:3: \`HTTPSEdge.lifecycle.protect\` must be a boolean
          5 |   protect: yes please
            |   ^^^^^^^
         hint: write true or false, without quotes

      error[INVALID_LIFECYCLE] stack.yaml:6:3: \`HTTPSEdge.lifecycle.on_remove\` must be delete or retain
          6 |   on_remove: keep
            |   ^^^^^^^^^

      error[INVALID_LIFECYCLE] stack.yaml:7:26: \`HTTPSEdge.lifecycle.ignore[1]\` must be a JSON pointer to a field of spec, such as /description
          7 |   ignore: [/description, /hostport, hostports, spec/description, /mutual_tls/enabled]
            |                          ^^^^^^^^^
         hint: did you mean \`/hostports\`?

      error[INVALID_LIFECYCLE] stack.yaml:7:37: \`HTTPSEdge.lifecycle.ignore[2]\` must be a JSON pointer to a field of spec, such as /description
          7 |   ignore: [/description, /hostport, hostports, spec/description, /mutual_tls/enabled]
            |                                     ^^^^^^^^^
         hint: did you mean \`/hostports\`?

      error[INVALID_LIFECYCLE] stack.yaml:7:48: \`HTTPSEdge.lifecycle.ignore[3]\` must be a JSON pointer to a field of spec, such as /description
          7 |   ignore: [/description, /hostport, hostports, spec/description, /mutual_tls/enabled]
            |                                                ^^^^^^^^^^^^^^^^
         hint: did you mean \`/description\`?

      error[INVALID_LIFECYCLE] stack.yaml:8:3: \`HTTPSEdge.lifecycle.adopt_from\` can be set only together with \`adopt\`
          8 |   adopt_from: 7f3a9c21
            |   ^^^^^^^^^^

      error[INVALID_LIFECYCLE] stack.yaml:9:3: \`HTTPSEdge.lifecycle.moved_from\` must be an address, such as HTTPSEdge/name, or a list of them
          9 |   moved_from: shop
            |   ^^^^^^^^^^
         hint: write \`moved_from: HTTPSEdge/shop\`

      error[UNKNOWN_FIELD] stack.yaml:10:3: unknown field \`protected\` in HTTPSEdge.lifecycle
         10 |   protected: …
            |   ^^^^^^^^^
         hint: did you mean \`protect\`?
      "
    `);
  });

  test('an entry inside another does not say what it is inside of', async () => {
    expect(await reportOf(inside.replace('match: /cart', 'match: /cart\n      edge_id: {ref: shop}')))
      .toMatchInlineSnapshot(`
        "error[REDUNDANT_PARENT] stack.yaml:12:7: \`edge_id\` cannot be set here: the parent is the resource that contains the entry
           12 |       edge_id: {ref: shop}
              |       ^^^^^^^
        "
      `);
  });
});

describe('one manifest and another', () => {
  test('of one address are reported with both places, in whatever form', async () => {
    expect(await reportOf(`${inside}---\n${alone.split('---\n')[1] ?? ''}`)).toMatchInlineSnapshot(`
      "error[DUPLICATE_ADDRESS] stack.yaml:14:1: HTTPSEdgeRoute/shop:cart is defined twice
         14 | apiVersion: sluice/v1
            | ^^^^^^^^^^
         stack.yaml:7:7: first defined here
          7 |     - name: cart
            |       ^^^^
      "
    `);
  });

  test('that want the same hostport, domain or match are reported with both places', async () => {
    expect(
      await reportOf(`apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: a}
spec:
  hostports: [shop.example.com:443]
  routes:
    - {name: one, match_type: path_prefix, match: /, backend: {backend_id: b}}
    - {name: two, match_type: exact_path, match: /, backend: {backend_id: b}}
---
apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: b}
spec:
  hostports: [Shop.Example.com:443]
`),
    ).toMatchInlineSnapshot(`
      "error[DUPLICATE_VALUE] stack.yaml:8:43: \`HTTPSEdgeRoute.spec.match\` must be unique: "/" is already used by HTTPSEdgeRoute/a:one
          8 |     - {name: two, match_type: exact_path, match: /, backend: {backend_id: b}}
            |                                           ^^^^^
         stack.yaml:7:44: used by HTTPSEdgeRoute/a:one
          7 |     - {name: one, match_type: path_prefix, match: /, backend: {backend_id: b}}
            |                                            ^^^^^

      error[DUPLICATE_VALUE] stack.yaml:14:15: \`HTTPSEdge.spec.hostports\` must be unique: "Shop.Example.com:443" is already used by HTTPSEdge/a
         14 |   hostports: [Shop.Example.com:443]
            |               ^^^^^^^^^^^^^^^^^^^^
         stack.yaml:5:3: used by HTTPSEdge/a
          5 |   hostports: [shop.example.com:443]
            |   ^^^^^^^^^
      "
    `);
  });
});

describe('metadata leaves room for the marker', () => {
  const edge = (metadata: string) =>
    `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec:\n  metadata: ${metadata}\n  hostports: []\n`;

  test('a mapping becomes JSON text with its keys in order', async () => {
    const [shop] = (await loadText(edge('{b: [1, {d: 1, c: 2}], a: x}'))).resources;
    expect(shop?.spec).toEqual({ metadata: '{"a":"x","b":[1,{"c":2,"d":1}]}', hostports: [] });
  });

  test('the key of sluice is taken', async () => {
    expect(await reportOf(edge('{sluice: mine}'))).toContain('error[RESERVED_METADATA_KEY] stack.yaml:5:3:');
    expect(await reportOf(edge(`'{"sluice": 1}'`))).toContain('error[RESERVED_METADATA_KEY] stack.yaml:5:3:');
  });

  test('what is too long with 160 bytes more does not fit; exactly as long does', async () => {
    const text = (length: number) => `{a: ${'x'.repeat(length - '{"a":""}'.length)}}`;
    expect(await reportOf(edge(text(4096 - 160)))).toBe('');
    expect(await reportOf(edge(text(4096 - 159)))).toContain(
      'error[NO_SPACE_FOR_MARKER] stack.yaml:5:3: `metadata`, 3937 bytes long, leaves too little space for the ownership marker, which needs 160 of 4096 bytes',
    );
  });

  test('plain text carries no marker, which is reported once', async () => {
    expect(await reportOf(edge('plain'))).toMatchInlineSnapshot(`
      "warning[MISSING_MARKER] stack.yaml:5:3: \`metadata\` is plain text and cannot contain an ownership marker: ownership is recorded in state only
          5 |   metadata: plain
            |   ^^^^^^^^
         hint: write \`metadata\` as a mapping, so that sluice can find the resource even if the state is lost
      "
    `);
    expect(await reportOf(edge('plain'), { marker: false })).toContain('note[MISSING_MARKER]');
  });
});
