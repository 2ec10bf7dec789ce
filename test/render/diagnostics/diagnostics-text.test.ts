import { describe, expect, test } from 'vitest';
import { diagnosticsText } from '../../../src/render/diagnostics/diagnostics-text.ts';
import { reportOf } from '../../support/manifests.ts';

describe('diagnostics as text', () => {
  test('show the place, the line with a caret, and what to do', async () => {
    const manifest = `apiVersion: sluice/v1
kind: HTTPSEdgeRoute
spec:
  edge_id: edghts_1
  match_type: path_prefix
  match: /
  oauth:
    provider:
      google:
        emial_domains: [example.com]
`;
    expect(await reportOf(manifest)).toMatchInlineSnapshot(`
      "error[UNKNOWN_FIELD] stack.yaml:10:9: unknown field \`emial_domains\` in HTTPSEdgeRoute.spec.oauth.provider.google
         10 |         emial_domains: […]
            |         ^^^^^^^^^^^^^
         hint: did you mean \`email_domains\`?
      "
    `);
  });

  test('put the caret right where hidden scalars and written-out characters moved it', () => {
    const place = { file: 'a\u202e.yaml', line: 3, col: 30, excerpt: 'a: …, \u200bb\u0007: x', caret: 8, span: 2 };
    expect(diagnosticsText([{ code: 'SYNTAX_ERROR', severity: 'warning', message: 'bell \u001b[2J', place }]))
      .toMatchInlineSnapshot(`
      "warning[SYNTAX_ERROR] a\\u{202e}.yaml:3:30: bell \\u{1b}[2J
          3 | a: …, \\u{200b}b\\u{7}: x
            |               ^^^^^^
      "
    `);
  });

  test('without a place name the resource, or nothing', () => {
    const messages = { code: 'SYNTAX_ERROR', severity: 'note', message: 'so' } as const;
    expect(diagnosticsText([{ ...messages, address: 'Kind/a' }, messages])).toBe(
      'note[SYNTAX_ERROR] Kind/a: so\n\nnote[SYNTAX_ERROR]: so\n',
    );
  });

  test('shorten long lines around the caret', async () => {
    const reported = await reportOf(
      `{kind: External, apiVersion: sluice/v1, metadata: {name: a}, spec: {type: backend, id: b, ${'x: 1, '.repeat(1)}${Array.from({ length: 200 }, (_, i) => `k${i}: 1`).join(', ')}}}`,
    );
    const lines = reported.split('\n').filter((line) => line.startsWith('    1 |'));
    expect(lines.every((line) => line.length < 200)).toBe(true);
    for (const [index, line] of reported.split('\n').entries())
      if (line.startsWith('      |'))
        expect(reported.split('\n')[index - 1]?.slice(line.indexOf('^'))).toMatch(/^[kx]\d*: /);
  });
});
