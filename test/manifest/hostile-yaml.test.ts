import { describe, expect, test } from 'vitest';
import { reportOf } from '../support/manifests.ts';
import { sampleSize } from '../support/samples.ts';

describe('hostile YAML gets a diagnostic with a place', () => {
  test('an alias bomb', async () => {
    const levels = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(5).fill(`*a${i}`).join(', ')}]`);
    expect(await reportOf(`a0: &a0 boom\n${levels.join('\n')}\n`)).toMatchInlineSnapshot(`
      "error[TOO_LARGE] stack.yaml:1:9: the document has more than 100000 values (each alias counts as a copy of its value)
          1 | a0: … …
            |       ^
      "
    `);
  });

  test('an alias bomb that needs few aliases', async () => {
    const wide = `a: &a [${Array(20_000).fill('1').join(',')}]\n`;
    expect(await reportOf(`${wide}b: [*a, *a, *a, *a, *a]\n`)).toMatchInlineSnapshot(`
      "error[TOO_LARGE] stack.yaml:1:39986: the document has more than 100000 values (each alias counts as a copy of its value)
          1 | … …,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…,…]
            |                                                                                   ^
      "
    `);
  });

  test('many documents that are each nearly an alias bomb', async () => {
    const levels = Array.from({ length: 4 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`);
    const document = `a0: &a0 [${Array(9).fill('x').join(', ')}]\n${levels.join('\n')}\n---\n`;
    const reported = await reportOf(document.repeat(20));
    expect(reported.match(/error\[INVALID_MANIFEST\]/g)).toHaveLength(4);
    expect(reported).toContain('the file has more than 400000 values (each alias counts as a copy of its value)');
  });

  test('five thousand chained anchors', async () => {
    const links = Array.from({ length: 5000 }, (_, i) => `k${i + 1}: &a${i + 1} [*a${i}]`);
    expect(await reportOf(`k0: &a0 1\n${links.join('\n')}\n`)).toMatchInlineSnapshot(`
      "error[TOO_MANY_ALIASES] stack.yaml:51:6: the document has more than 50 anchors
         51 | …: …… […]
            |    ^
      "
    `);
  });

  test('an alias inside what it names', async () => {
    expect(await reportOf('kind: &a {x: *a}\n')).toMatchInlineSnapshot(`
      "error[RECURSIVE_ALIAS] stack.yaml:1:14: the alias refers to a value that contains the alias itself
          1 | kind: … {x: …}
            |             ^
      "
    `);
  });

  test('a hundred thousand keys in a map', async () => {
    const keys = Array.from({ length: 100_000 }, (_, i) => `k${i}: 1`).join('\n');
    expect(await reportOf(keys)).toMatchInlineSnapshot(`
      "error[TOO_LARGE] stack.yaml:57143:9: the file has more than 400000 YAML tokens
      57143 | …: …
            |    ^
         hint: split the file
      "
    `);
  });

  test('tens of thousands of unknown fields, of which the first hundred are reported', async () => {
    const count = sampleSize(10_000, 40_000);
    const keys = Array.from({ length: count }, (_, i) => `  field${i}: 1`).join('\n');
    const reported = await reportOf(`apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a}\nspec:\n${keys}\n`);
    expect(reported.match(/error\[UNKNOWN_FIELD\]/g)).toHaveLength(100);
    expect(reported).toContain(
      `error[TOO_MANY_ERRORS] stack.yaml:1:1: ${count - 100} more problems in this file are not listed`,
    );
  });

  test('more warnings than are listed, of which none becomes an error', async () => {
    const edge = (index: number): string =>
      `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: e${index}}\nspec: {hostports: [shop.example.com:443]}\n`;
    const edges = Array.from({ length: 150 }, (_, index) => edge(index)).join('---\n');
    const reported = await reportOf(edges, { profile: 'documented' });
    expect(reported).toContain('warning[TOO_MANY_ERRORS] stack.yaml:1:1: 49 more problems in this file are not listed');
    expect(reported).not.toContain('error[');
  });

  test('brackets without end', async () => {
    expect(await reportOf('a: ' + '['.repeat(500_000))).toMatchInlineSnapshot(`
      "error[TOO_DEEP] stack.yaml:1:69: the document is nested more than 64 levels deep
          1 | …: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[ …
            |                                                                     ^
      "
    `);
  });

  test('mappings nested line by line', async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}a:`).join('\n');
    expect(await reportOf(lines)).toMatchInlineSnapshot(`
      "error[TOO_DEEP] stack.yaml:66:67: the document is nested more than 64 levels deep
         66 |                                                                  …:
            |                                                                   ^
      "
    `);
  });

  test('a million mistakes', async () => {
    expect(await reportOf(`a: "${'\\z'.repeat(490_000)}"`)).toMatch(
      /^error\[SYNTAX_ERROR\] stack.yaml:1:5: invalid escape sequence/,
    );
    expect(await reportOf(']'.repeat(1_000_000))).toContain('error[TOO_LARGE] stack.yaml:1:');
  });

  test('the keys __proto__, constructor and prototype', async () => {
    expect(await reportOf('__proto__: {a: 1}\nx: {constructor: {prototype: 1}}\n')).toMatchInlineSnapshot(`
      "error[FORBIDDEN_KEY] stack.yaml:1:1: the key \`__proto__\` is not allowed
          1 | __proto__: {a: …}
            | ^^^^^^^^^

      error[FORBIDDEN_KEY] stack.yaml:2:5: the key \`constructor\` is not allowed
          2 | x: {constructor: {prototype: …}}
            |     ^^^^^^^^^^^
      "
    `);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  test('a key that stands twice', async () => {
    expect(await reportOf('kind: External\nspec: {id: a}\nkind: ReservedAddr\n')).toMatchInlineSnapshot(`
      "error[MISSING_FIELD] stack.yaml:1:1: \`apiVersion: sluice/v1\` is required
          1 | kind: External
            | ^^^^

      error[MISSING_FIELD] stack.yaml:1:1: \`External.metadata.name\` is required
          1 | kind: External
            | ^^^^

      error[MISSING_FIELD] stack.yaml:2:1: \`External.spec.type\` must be one of backend, ip_policy, event_destination, ssh_certificate_authority, endpoint_configuration
          2 | spec: {id: a}
            | ^^^^

      error[DUPLICATE_KEY] stack.yaml:3:1: duplicate key \`kind\`
          3 | kind: ReservedAddr
            | ^^^^
         stack.yaml:1:1: first defined here
          1 | kind: External
            | ^^^^
      "
    `);
  });

  test('keys that are no text', async () => {
    expect(await reportOf('1: a\ntrue: b\n? [x]\n: c\n')).toMatchInlineSnapshot(`
      "error[NON_STRING_KEY] stack.yaml:1:1: a key must be a string
          1 | 1: …
            | ^
         hint: put the key in quotes

      error[NON_STRING_KEY] stack.yaml:2:1: a key must be a string
          2 | true: …
            | ^^^^
         hint: put the key in quotes

      error[NON_STRING_KEY] stack.yaml:3:3: a key must be a string
          3 | ? …
            |   ^
         hint: put the key in quotes
      "
    `);
  });

  test('merge keys', async () => {
    expect(await reportOf('a: &a {b: 1}\nc:\n  <<: *a\n')).toMatchInlineSnapshot(`
      "error[FORBIDDEN_KEY] stack.yaml:3:3: the merge key \`<<\` is not supported
          3 |   <<: …
            |   ^^
         hint: write the merged fields again in each mapping
      "
    `);
  });

  test('unknown tags, and those of other YAML versions', async () => {
    expect(await reportOf('a: !exec rm\nb: !!binary aGk=\nc: !!set {x}\n')).toMatchInlineSnapshot(`
      "error[UNSUPPORTED_YAML_TAG] stack.yaml:1:4: YAML tags such as \`!name\` are not supported
          1 | a: … …
            |    ^

      error[UNSUPPORTED_YAML_TAG] stack.yaml:2:4: YAML tags such as \`!name\` are not supported
          2 | b: … …
            |    ^

      error[UNSUPPORTED_YAML_TAG] stack.yaml:3:4: YAML tags such as \`!name\` are not supported
          3 | c: … {x}
            |    ^
      "
    `);
  });

  test('a tag before a mapping, which no indentation corrects', async () => {
    expect(await reportOf('a: !Sub\n  b: text\n')).toMatchInlineSnapshot(`
      "error[UNSUPPORTED_YAML_TAG] stack.yaml:1:4: YAML tags such as \`!name\` are not supported
          1 | a: …
            |    ^
      "
    `);
  });

  test('directives, which could change what values mean', async () => {
    expect(await reportOf('%YAML 1.1\n---\na: yes\n')).toMatchInlineSnapshot(`
      "error[SYNTAX_ERROR] stack.yaml:1:1: YAML directives are not supported

      error[INVALID_MANIFEST] stack.yaml:3:1: the document is not a manifest: it must be a mapping with \`apiVersion\`, \`kind\`, \`metadata\` and \`spec\`
          3 | a: …
            | ^
      "
    `);
  });

  test('numbers that would lose digits, infinity, and what is no number', async () => {
    expect(await reportOf('a: 12345678901234567890\nb: .inf\nc: .nan\nd: 1e400\n')).toMatchInlineSnapshot(`
      "error[UNSAFE_NUMBER] stack.yaml:1:4: the number has more digits than JSON can carry exactly
          1 | a: …
            |    ^
         hint: if the field is a string, put the number in quotes

      error[UNSAFE_NUMBER] stack.yaml:2:4: infinity and NaN cannot be sent as JSON
          2 | b: …
            |    ^

      error[UNSAFE_NUMBER] stack.yaml:3:4: infinity and NaN cannot be sent as JSON
          3 | c: …
            |    ^

      error[UNSAFE_NUMBER] stack.yaml:4:4: infinity and NaN cannot be sent as JSON
          4 | d: …
            |    ^
      "
    `);
  });

  test('NUL and halves of surrogate pairs behind escapes', async () => {
    expect(await reportOf('a: "x\\0y"\nb: "\\ud800"\n')).toMatchInlineSnapshot(`
      "error[INVALID_TEXT] stack.yaml:1:4: a string must not contain NUL or an unpaired surrogate
          1 | a: …
            |    ^

      error[INVALID_TEXT] stack.yaml:2:4: a string must not contain NUL or an unpaired surrogate
          2 | b: …
            |    ^
      "
    `);
  });

  test('syntax that is broken, without a word of what was written', async () => {
    expect(await reportOf('spec:\n  secret: "hunter2\n  other: x\n')).toMatchInlineSnapshot(`
      "error[SYNTAX_ERROR] stack.yaml:2:11: the quote \`"\` is not closed
          2 |   secret: ……
            |           ^
         hint: add the closing \`"\`
      "
    `);
  });
});

describe('floods that are valid YAML are still judged in bounded time', () => {
  const edge = 'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: a}\nspec:\n';
  const many = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i)).join('');
  const route = (fields: string) => `${edge}  routes: [{match: /, match_type: exact_path, ${fields}}]\n`;

  // Each of these once took from ten seconds to three minutes.
  test.each([
    [
      'one match on 14,000 routes',
      `${edge}  routes:\n${many(14_000, () => '    - {match: /, match_type: exact_path}\n')}`,
    ],
    [
      '20,000 misspelt names beside 8,000 that are there',
      many(8000, (i) => `--- {kind: ModuleSet, apiVersion: sluice/v1, metadata: {name: s${i}}}\n`) +
        `--- {kind: HTTPSEdgeRoute, apiVersion: sluice/v1, spec: {module_sets: [${many(20_000, (i) => `x${i},`)}]}}`,
    ],
    ['a traffic policy of nothing but mistakes', route(`traffic_policy: {value: '${']'.repeat(900_000)}'}`)],
    [
      '60,000 addresses with capitals',
      route(`oauth: {provider: {google: {email_addresses: [${many(60_000, (i) => `A${i}@x,`)}]}}}`),
    ],
    ['an XML document that never closes', route(`saml: {idp_metadata: '${'<a>'.repeat(300_000)}'}`)],
  ])('%s', async (_what, text) => {
    const before = process.cpuUsage();
    await reportOf(text);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(8);
  });
});
