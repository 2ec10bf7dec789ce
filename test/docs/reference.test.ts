import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { referencePages } from '../../scripts/reference/reference.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { WrittenObject } from '../../src/manifest/read/written.ts';
import { writtenText } from '../../src/manifest/write/write-text.ts';
import { loadText } from '../support/load-text.ts';

const pages = referencePages();

test('docs/reference is what the sources say: `npm run generate` writes it', () => {
  expect(readdirSync('docs/reference').sort()).toEqual([...pages.keys()].sort());
  for (const [file, text] of pages) expect(readFileSync(`docs/reference/${file}`, 'utf8'), file).toBe(text);
});

const examples = [...pages].flatMap(([file, text]) =>
  [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml = '']) => {
    const value = parse(yaml) as WrittenObject;
    const [name = ''] = 'kind' in value ? ['the example'] : Object.keys(value);
    return [file, name, value] as const;
  }),
);

describe('an example can be copied into a manifest', () => {
  test('each kind has one, and each module', () => {
    for (const kind of kinds.all)
      expect(examples.some(([, name, value]) => name === 'the example' && value['kind'] === kind.name)).toBe(true);
    expect(examples.length).toBeGreaterThan(20);
  });

  test.each(examples)('%s: %s', async (file, _, value) => {
    const kind = file.replaceAll('-', '').replace('.md', '');
    const whole = 'kind' in value ? value : around(kind, value);
    const { diagnostics, resources } = await loadText(
      { 'example.yaml': writtenText(whole), 'others.yaml': others },
      { kinds, profile: 'completed', env: { SECRET: 'correct horse', CLIENT_SECRET: 'correct horse' } },
    );
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(resources.length).toBeGreaterThan(0);
  });
});

/** A module in a manifest of its kind. */
function around(kind: string, module: WrittenObject): WrittenObject {
  const page = [...pages].find(([file]) => file.replaceAll('-', '').replace('.md', '') === kind)?.[1] ?? '';
  const [, example = ''] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
  const manifest = parse(example) as { readonly spec: WrittenObject };
  return { ...manifest, spec: { ...manifest.spec, ...module } };
}

// What the examples refer to.
const others = [
  ['HTTPSEdge', 'my-httpsedge', '{hostports: [other.example.com:443]}'],
  [
    'CertificateAuthority',
    'my-certificate-authority',
    `{ca_pem: ${JSON.stringify(readFileSync('examples/company/files/partners-ca.pem', 'utf8'))}}`,
  ],
  ...['backend', 'ip_policy', 'event_destination', 'ssh_certificate_authority', 'endpoint_configuration'].map(
    (type) => ['External', `my-${type.replaceAll('_', '-')}`, `{type: ${type}, id: x_1}`],
  ),
]
  .map(
    ([kind, name, spec]) =>
      `apiVersion: sluice/v1\nkind: ${kind ?? ''}\nmetadata: {name: ${name ?? ''}}\nspec: ${spec ?? ''}\n`,
  )
  .join('---\n');
