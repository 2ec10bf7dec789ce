import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { Path } from '../../../src/kinds/value.ts';
import { fieldWords, isVisible } from '../../../src/manifest/check/visible.ts';

const words = fieldWords(kinds);
const shown = (path: string, kind: string, isKey: boolean): boolean => {
  const steps: Path = path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return isVisible(kinds, () => kind, steps, isKey ? words : undefined);
};

describe('whether a value may be shown, and a key', () => {
  // Each path with whether the scalar there may be shown, and whether the key there may.
  const cases: readonly (readonly [string, string, boolean, boolean])[] = [
    ['HTTPSEdge', 'apiVersion', true, true],
    ['HTTPSEdge', 'kind', true, true],
    ['HTTPSEdge', 'kind.a', false, true],
    ['HTTPSEdge', 'other', false, true],
    ['HTTPSEdge', 'metadata.name', true, true],
    ['HTTPSEdge', 'metadata.name.a', false, true],
    ['HTTPSEdge', 'metadata.labels', false, true],
    ['HTTPSEdge', 'metadata.labels.team', true, true],
    ['HTTPSEdge', 'metadata.labels.team.a', false, true],
    ['HTTPSEdge', 'metadata.annotations', false, true],
    ['HTTPSEdge', 'lifecycle.protect', true, true],
    ['HTTPSEdge', 'lifecycle.ignore.0', true, true],
    ['HTTPSEdge', 'lifecycle.ignore.0.a', false, true],
    ['HTTPSEdge', 'lifecycle.other', false, true],
    ['HTTPSEdge', 'spec.description', true, true],
    ['HTTPSEdge', 'spec.other', false, true],
    ['HTTPSEdge', 'spec.other.description', false, true],
    ['HTTPSEdge', 'spec.other.canary', false, false],
    ['HTTPSEdge', 'spec.other.0', false, true],
    ['HTTPSEdge', 'spec.constructor', false, true],
    ['HTTPSEdge', 'spec.hostports.0', true, true],
    ['HTTPSEdge', 'spec.hostports', false, true],
    ['HTTPSEdge', 'spec.hostports.var', true, true],
    ['HTTPSEdge', 'spec.hostports.var.a', false, true],
    ['HTTPSEdge', 'spec.hostports.other', false, true],
    ['HTTPSEdge', 'spec.mutual_tls.certificate_authority_ids.0.ref', true, true],
    ['HTTPSEdge', 'spec.mutual_tls.certificate_authority_ids.0.field', true, true],
    ['HTTPSEdge', 'spec.mutual_tls.certificate_authority_ids.0.output.stack', true, true],
    ['HTTPSEdge', 'spec.mutual_tls.certificate_authority_ids.0.output.other', false, true],
    ['HTTPSEdge', 'spec.mutual_tls.certificate_authority_ids.0.output.stack.a', false, true],
    ['HTTPSEdge', 'spec.description.from_env', true, true],
    ['HTTPSEdge', 'spec.description.template', true, true],
    ['HTTPSEdge', 'spec.description.other', false, true],
    ['HTTPSEdge', 'spec.module_sets', true, true],
    ['HTTPSEdge', 'spec.routes.0.match', true, true],
    ['HTTPSEdge', 'spec.routes.0.name', true, true],
    ['HTTPSEdge', 'spec.routes.0.labels.team', true, true],
    ['HTTPSEdge', 'spec.routes.0.lifecycle.protect', true, true],
    ['HTTPSEdge', 'spec.routes.0.lifecycle.other', false, false],
    ['HTTPSEdge', 'spec.routes.0.module_sets.0', true, true],
    ['HTTPSEdge', 'spec.routes.0.module_sets.0.a', false, false],
    ['HTTPSEdge', 'spec.routes.0.oidc.client_secret', false, true],
    ['HTTPSEdge', 'spec.routes.0.oidc.issuer', true, true],
    ['HTTPSEdgeRoute', 'spec.oidc.client_secret', false, true],
    ['HTTPSEdgeRoute', 'spec.oidc.client_secret.from_env', true, true],
    ['HTTPSEdgeRoute', 'spec.oidc.client_secret.from_env.canary', false, false],
    ['HTTPSEdgeRoute', 'spec.oidc.client_secret.template', false, true],
    ['HTTPSEdgeRoute', 'spec.oidc.client_secret.var', true, true],
    ['HTTPSEdgeRoute', 'spec.oidc.client_secret.field', false, true],
    ['HTTPSEdgeRoute', 'spec.oidc.client_secret.valueFrom.secretKeyRef.name', false, true],
    ['HTTPSEdgeRoute', 'spec.oidc.client_secret.canary', false, false],
    ['External', 'spec.type', true, true],
    ['External', 'spec.id', true, true],
    ['External', 'spec.id.from_env', true, true],
    ['External', 'spec.id.other', false, true],
    ['External', 'spec.other', false, true],
    ['External', 'spec.type.a', false, true],
    ['ModuleSet', 'spec.oidc.issuer', true, true],
    ['ModuleSet', 'spec.oidc.client_secret', false, true],
    ['ModuleSet', 'spec.match', false, true],
    ['Unknown', 'spec.description', false, true],
    ['Unknown', 'spec.description.canary', false, false],
    ['HTTPSEdge', 'items.0.metadata.name', true, true],
    ['HTTPSEdge', 'items.0.spec.other.canary', false, false],
    ['HTTPSEdge', 'items.name', false, true],
  ];
  test.each(cases)('in %s, %s: %s, %s', (kind, path, value, key) => {
    expect([shown(path, kind, false), shown(path, kind, true)]).toEqual([value, key]);
  });
});

test('of a list of manifests, the kind is that of the entry', () => {
  const kindAt = (base: Path) => (base.join('.') === 'items.1' ? 'HTTPSEdge' : 'Unknown');
  const at = (...path: Path) => isVisible(kinds, kindAt, path);
  expect([at('items', 1, 'spec', 'description'), at('items', 0, 'spec', 'description')]).toEqual([true, false]);
});

test('the words of manifests are all keys that one can have', () => {
  for (const word of ['spec', 'labels', 'module_sets', 'valid_for', 'from_file', 'routes', 'client_secret', 'issuer'])
    expect(words).toContain(word);
  for (const word of ['canary', 'client', '']) expect(words).not.toContain(word);
});
