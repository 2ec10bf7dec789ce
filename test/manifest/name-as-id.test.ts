import { expect, test } from 'vitest';
import { familiesIn } from '../../src/derive/references.ts';
import type { Field, Fields } from '../../src/kinds/kind.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { SpecObject, SpecValue } from '../../src/kinds/value.ts';
import { loadText } from '../support/manifests.ts';

/** Every field of every kind that takes the id of something else: the family, and a spec with only that field. */
const references = kinds.all.flatMap((kind) =>
  withIds(kind.fields).map(({ path, to, spec }) => [`${kind.name}.spec.${path}`, kind.name, to, spec] as const),
);

function withIds(fields: Fields): { readonly path: string; readonly to: string; readonly spec: SpecObject }[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    familiesIn({ [name]: field }).length === 0
      ? []
      : idsOf(field).map(({ path, to, value }) => ({ path: `${name}${path}`, to, spec: { [name]: value } })),
  );
}

function idsOf(field: Field): { readonly path: string; readonly to: string; readonly value: SpecValue }[] {
  if (field.is === 'leaf') return field.ref === undefined ? [] : [{ path: '', to: field.ref.to, value: 'web' }];
  if (field.is === 'list') return idsOf(field.of).map((inner) => ({ ...inner, path: '[0]', value: [inner.value] }));
  if (field.is === 'dict') return [];
  return withIds(field.fields).map(({ path, to, spec }) => ({ path: `.${path}`, to, value: spec }));
}

const manifest = (kind: string, name: string, spec: SpecObject) =>
  JSON.stringify({ apiVersion: 'sluice/v1', kind, metadata: { name }, spec });

test.each(references)(
  'a name in the place of an id is reported, with the reference to write: %s',
  async (_field, kind, to, spec) => {
    const isOwn = kinds.named(to) !== undefined;
    const target = isOwn ? manifest(to, 'web', {}) : manifest('External', 'web', { type: to, id: 'ext_1' });
    const { diagnostics } = await loadText(`${manifest(kind, 'user', spec)}\n---\n${target}\n`);
    const [found] = diagnostics.filter(({ code }) => code === 'NAME_AS_ID');
    expect(found).toMatchObject({
      // The service gives its own resources their ids, so it refuses a name; other ids it takes as they are.
      severity: isOwn ? 'error' : 'warning',
      hint: 'write `{ref: web}`',
      place: { line: 1 },
    });
    expect(found?.message).toContain(
      `\`web\` is the name of ${isOwn ? to : 'External'}/web, but sluice would send the name as an id`,
    );
  },
);

test('an id that is no name, a name of another type, and a reference are fine', async () => {
  const { diagnostics } = await loadText(
    [
      manifest('External', 'web', { type: 'backend', id: 'web' }),
      manifest('External', 'office', { type: 'ip_policy', id: 'ipp_1' }),
      manifest('EventSubscription', 'log', {
        sources: [{ type: 'ip_policy_created.v0' }],
        destination_ids: ['web', 'ed_1'],
      }),
      manifest('HTTPSEdge', 'shop', {
        hostports: ['shop.example.com:443'],
        routes: [{ match_type: 'path_prefix', match: '/', backend: { backend_id: { ref: 'web' } as never } }],
      }),
    ].join('\n---\n'),
  );
  expect(diagnostics).toEqual([]);
});

test('under `documented` a name in the place of an id is a warning', async () => {
  const { diagnostics } = await loadText(
    `${manifest('HTTPSEdge', 'shop', { hostports: [], mutual_tls: { certificate_authority_ids: ['ca'] } })}\n---\n${manifest('CertificateAuthority', 'ca', {})}`,
    { profile: 'documented' },
  );
  expect(diagnostics.filter(({ code }) => code === 'NAME_AS_ID').map(({ severity }) => severity)).toEqual(['warning']);
});
