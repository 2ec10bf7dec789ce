/* What the service fills in is known from the answer to our own write, so that what a person sets afterwards is not taken for it. */
import { describe, expect, test } from 'vitest';
import { toState } from '../../../src/derive/stored/to-state.ts';
import { httpsEdge } from '../../../src/kinds/https-edge.ts';
import type { SpecObject } from '../../../src/kinds/value.ts';
import type { Entry } from '../../../src/model/state.ts';
import { backend as upstream, digest, hazards, inputOf, oidc, planOf, type Given, type Specs } from '../support.ts';

const shop = 'HTTPSEdge/shop';
const route = 'HTTPSEdgeRoute/shop:/';
const at = (host: string, min_version?: string): SpecObject => ({
  hostports: [`${host}:443`],
  tls_termination: min_version === undefined ? {} : { min_version },
});
const tls = '`tls_termination.min_version`';

describe('a TLS version that the manifest leaves out, and that the service had filled in with 1.2', () => {
  const entry: Partial<Entry> = {
    spec: toState(httpsEdge.fields, at('shop.example.com'), digest),
    filledIn: { '/tls_termination/min_version': '1.2' },
  };
  const given = (now: string, wanted: Specs, more: Given = {}): string[] =>
    hazards(
      planOf({
        ours: { [shop]: at('shop.example.com', now), [route]: upstream },
        wanted,
        state: { [shop]: entry },
        ...more,
      }),
    )
      .filter((line) => line.includes('_ACCESS'))
      .map((line) => line.replace(/^(\w+) .*?`/, '$1 `'));
  const same: Specs = { [shop]: at('shop.example.com'), [route]: upstream };
  const moved: Specs = { 'HTTPSEdge/young': at('shop.example.com'), 'HTTPSEdgeRoute/young:/': upstream };

  test('is no difference, neither where it is nor to another edge', () => {
    expect(given('1.2', same)).toEqual([]);
    expect(given('1.2', moved)).toEqual([]);
  });

  test('is lost where a person raised it, and its hostport moves to another edge', () => {
    expect(given('1.3', same)).toEqual([]);
    expect(given('1.3', moved)).toContain(
      `OPENS_ACCESS ${tls} may be lower than before, because the new value is unknown`,
    );
  });

  test('was lowered by a person, and the plan leaves it so', () => {
    expect(given('1.0', same)).toEqual([`OPENS_ACCESS ${tls} is lowered`]);
    expect(given('1.0', same, { lifecycle: { [shop]: { ignore: ['/tls_termination/min_version'] } } })).toEqual([]);
  });

  test('is remembered without the settings that nobody set', () => {
    const signIn = { ...upstream, oidc: { ...oidc.oidc, scopes: [], maximum_duration: null } };
    const gone = planOf({ ours: { [shop]: at('shop.example.com', '1.3'), [route]: signIn }, wanted: {} });
    const [remembered] = Object.values(gone.lastAccess.remember);
    expect(JSON.stringify(remembered)).toContain('"oidc":{"issuer":"https://id.example.com","client_id":"app"}');
  });

  test('is remembered only if a person set it', () => {
    const gone = (now: string) =>
      planOf({
        ours: { [shop]: at('shop.example.com', now), [route]: upstream },
        wanted: {},
        state: { [shop]: entry },
      });
    expect(JSON.stringify(gone('1.2').lastAccess.remember)).not.toContain('min_version');
    expect(JSON.stringify(gone('1.3').lastAccess.remember)).toContain('"min_version":"1.3"');
  });
});

test('a session limit that the service fills in is neither a change nor lost on another route', () => {
  const edge: Specs = { [shop]: { hostports: ['shop.example.com:443'] } };
  const signIn = (more: SpecObject = {}): SpecObject => ({ ...upstream, oidc: { ...oidc.oidc, ...more } });
  const left: Specs = { ...edge, [route]: signIn() };
  const planned = (now: number, wanted: Specs) => {
    const applied = inputOf({ ours: left }).state?.entries[route];
    const state = { [route]: { ...applied, filledIn: { '/oidc/maximum_duration': 1800 } } };
    return planOf({ ours: { ...edge, [route]: signIn({ maximum_duration: now }) }, wanted, state });
  };
  const updates = (now: number): string[] =>
    planned(now, left).changes.flatMap(({ fields }) => fields.map(({ path }) => path.join('.')));
  expect(updates(1800)).toEqual([]);
  expect(updates(9999)).toEqual(['oidc.maximum_duration']);
  const blog: Specs = { ...left, 'HTTPSEdgeRoute/shop:/blog': signIn() };
  expect(hazards(planned(1800, blog)).filter((line) => line.startsWith('OPENS_ACCESS'))).toEqual([]);
});
