import { describe, expect, test } from 'vitest';
import type { SpecObject } from '../../../src/kinds/value.ts';
import { backend as upstream, hazards, oidc, planOf, type Given, type Specs } from '../support.ts';

describe('what the service fills in where the manifests leave it out', () => {
  const at = (host: string, tls: Readonly<Record<string, string>>) => ({
    hostports: [`${host}:443`],
    tls_termination: tls,
  });
  const shop = 'HTTPSEdge/shop';
  const filled: Specs = { [shop]: at('shop.example.com', { min_version: '1.2' }), 'HTTPSEdgeRoute/shop:/': upstream };
  const state = { [shop]: { spec: at('shop.example.com', {}) } };
  const moved = (tls: Readonly<Record<string, string>>): Specs => ({
    'HTTPSEdge/young': at('shop.example.com', tls),
    'HTTPSEdgeRoute/young:/': upstream,
  });
  const reported = (wanted: Specs, more: Given = {}): readonly string[] =>
    hazards(planOf({ ours: filled, wanted, state, ...more }))
      .filter((line) => line.includes('_ACCESS'))
      .map((line) => line.replace(/^(\w+) .*: /, '$1 '));

  test('is no difference to another edge whose manifest leaves it out too', () => {
    expect(reported(moved({}))).toEqual([]);
  });

  test('is compared with what the manifest of another edge sets', () => {
    expect(reported(moved({ min_version: '1.1' }))).toEqual(['OPENS_ACCESS `tls_termination.min_version` is lowered']);
    expect(reported(moved({ min_version: '1.3' }))).toEqual([
      'RESTRICTS_ACCESS `tls_termination.min_version` is raised',
    ]);
  });

  test('is not what was applied, nor what nobody knows to be left out', () => {
    const applied = { [shop]: { spec: at('shop.example.com', { min_version: '1.2' }) } };
    expect(reported(moved({}), { state: applied })).toHaveLength(2);
    expect(reported(moved({}), { state: 'lost' })).toHaveLength(2);
  });

  test('is not what somebody else may have set, where the manifest ignores it', () => {
    const left = { ...moved({}), [shop]: at('other.example.com', {}) };
    const ignored = { [shop]: { ignore: ['/tls_termination/min_version'] } };
    expect(reported(left)).toEqual([]);
    expect(reported(left, { lifecycle: ignored })).toContain(
      'OPENS_ACCESS `tls_termination.min_version` may be lower than before, because the new value is unknown',
    );
  });

  test('is not remembered as required of requests that are no longer served', () => {
    const gone = planOf({ ours: filled, wanted: {}, state });
    expect(JSON.stringify(gone.lastAccess.remember)).not.toContain('min_version');
    const kept = planOf({ ours: filled, wanted: {} });
    expect(JSON.stringify(kept.lastAccess.remember)).toContain('"min_version":"1.2"');
  });

  test('is no difference of session limits: the service answers 0 where none is set', () => {
    const route = (more: SpecObject = {}): SpecObject => ({ ...upstream, oidc: { ...oidc.oidc, ...more } });
    const edge = { [shop]: { hostports: ['shop.example.com:443'] } };
    const unset = { maximum_duration: 0, inactivity_timeout: 0, options_passthrough: false };
    const ours = { ...edge, 'HTTPSEdgeRoute/shop:/': route(unset) };
    const young = { 'HTTPSEdge/b': { hostports: ['b.example.com:443'] }, 'HTTPSEdgeRoute/b:/': route() };
    const wanted = { ...edge, 'HTTPSEdgeRoute/shop:/': route(), 'HTTPSEdgeRoute/shop:/blog': route(), ...young };
    expect(hazards(planOf({ ours, wanted }))).toEqual([]);
  });
});

test('a TLS version is lower or higher where both are known, and else may be either', () => {
  const edge = (tls: SpecObject): Specs => ({
    'HTTPSEdge/shop': { hostports: ['shop.example.com:443'], tls_termination: { terminate_at: 'edge', ...tls } },
    'HTTPSEdgeRoute/shop:/': upstream,
  });
  const reported = (before: SpecObject, after: SpecObject): readonly string[] =>
    hazards(planOf({ ours: edge(before), wanted: edge(after) })).map((line) => line.replace(/^(\w+) .*: /, '$1 '));
  expect(reported({ min_version: '1.3' }, { min_version: '1.2' })).toEqual([
    'OPENS_ACCESS `tls_termination.min_version` is lowered',
  ]);
  expect(reported({ min_version: '1.2' }, { min_version: '1.3' })).toEqual([
    'RESTRICTS_ACCESS `tls_termination.min_version` is raised',
  ]);
  expect(reported({ min_version: '1.2' }, {})).toEqual([
    'RESTRICTS_ACCESS `tls_termination.min_version` may be higher than before, because the new value is unknown',
    'OPENS_ACCESS `tls_termination.min_version` may be lower than before, because the new value is unknown',
  ]);
  expect(reported({}, { min_version: '1.2' })).toEqual([
    'RESTRICTS_ACCESS `tls_termination.min_version` may be higher than before, because the old value is unknown',
    'OPENS_ACCESS `tls_termination.min_version` may be lower than before, because the old value is unknown',
  ]);
});
