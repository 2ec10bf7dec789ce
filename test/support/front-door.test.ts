import { describe, expect, test } from 'vitest';
import { asks, gapsIn, type Seen } from './front-door.ts';

const edge: Seen = { kind: 'HTTPSEdge', id: 'e', spec: { hostports: ['Shop.example.com:443'] } };
const open = { backend: { backend_id: 'b' } };
const restricted = { ...open, oauth: { provider: { google: {} } } };

function route(match: string, modules: object, match_type = 'path_prefix'): Seen {
  return { kind: 'HTTPSEdgeRoute', id: match, parent: 'e', spec: { match, match_type, ...modules } };
}

describe('a request at the front door', () => {
  test('is taken by the most specific route', () => {
    const reading = [
      edge,
      route('/', open),
      route('/cart', restricted),
      route('/cart/pay', { ...open, ip_restriction: {} }, 'exact_path'),
      route('shop.example.com/admin', { ...open, saml: {} }),
    ];
    const asked = ['/', '/cart', '/cart/pay', '/cart/pay/x', '/admin/x'].map((path) =>
      asks(reading, 'shop.example.com:443', path),
    );
    expect(asked).toEqual([[], ['authentication'], ['network'], ['authentication'], ['authentication']]);
  });

  test('is refused without a hostport, a route or a backend', () => {
    const reading = [edge, route('/cart', { backend: { backend_id: 'b', enabled: false } })];
    expect(asks(reading, 'other.example.com:443', '/')).toBe('refused');
    expect(asks(reading, 'shop.example.com:443', '/')).toBe('refused');
    expect(asks(reading, 'shop.example.com:443', '/cart')).toBe('refused');
  });

  test('must satisfy the access controls of the edge too, but not those switched off', () => {
    const tls = { ...edge, spec: { ...edge.spec, mutual_tls: {}, tls_termination: { enabled: false } } };
    expect(asks([tls, route('/', restricted)], 'shop.example.com:443', '/')).toEqual([
      'authentication',
      'client certificate',
    ]);
  });
});

describe('a wildcard', () => {
  const any: Seen = { kind: 'HTTPSEdge', id: 'w', spec: { hostports: ['*.example.com:443'] } };
  const anywhere = { ...route('/', open), parent: 'w' };

  test('answers for hosts that nobody has exactly', () => {
    const reading = [edge, route('/', restricted), any, anywhere];
    expect(asks(reading, 'shop.example.com:443', '/')).toEqual(['authentication']);
    expect(asks(reading, 'other.example.com:443', '/')).toEqual([]);
    expect(asks(reading, 'example.com:443', '/')).toBe('refused');
  });

  test('in a match takes its hosts, after a match with just that host', () => {
    const reading = [
      any,
      anywhere,
      { ...route('*.example.com/', restricted), parent: 'w' },
      { ...route('shop.example.com/', { ...open, ip_restriction: {} }), parent: 'w' },
    ];
    expect(asks(reading, 'shop.example.com:443', '/')).toEqual(['network']);
    expect(asks(reading, 'other.example.com:443', '/')).toEqual(['authentication']);
  });

  test('shows a gap where it catches the requests of a hostport that changes hands', () => {
    const aside: Seen = { ...edge, spec: { hostports: [] } };
    const gaps = gapsIn([
      [edge, route('/', restricted), any, anywhere],
      [aside, route('/', restricted), any, anywhere],
      [edge, route('/', restricted), any, anywhere],
    ]);
    expect(gaps[0]).toMatchObject({ place: 'shop.example.com:443', asked: [], write: 1 });
  });
});

describe('gaps', () => {
  test('are found where a backend comes before its access control', () => {
    const gaps = gapsIn([[edge], [edge, route('/', open)], [edge, route('/', restricted)]]);
    expect(gaps[0]).toMatchObject({ path: '/', asked: [], askedBefore: 'refused', write: 1 });
  });

  test('are found where the requests of a restricted route fall to an open one', () => {
    const openRoute = route('/', open);
    const admin = route('/admin', restricted);
    const shielded = route('/admin', { ...open, ip_restriction: {} });
    const gaps = gapsIn([
      [edge, openRoute, admin],
      [edge, openRoute],
      [edge, openRoute, shielded],
    ]);
    expect(gaps.map(({ path }) => path)).toEqual(['/admin', '/admin/below']);
  });

  test('are none when an access control is swapped for another of its class, or when access opens for good', () => {
    const saml = route('/', { ...open, saml: {} });
    expect(
      gapsIn([
        [edge, route('/', restricted)],
        [edge, saml],
        [edge, saml],
      ]),
    ).toEqual([]);
    expect(
      gapsIn([
        [edge, route('/', restricted)],
        [edge, route('/', open)],
      ]),
    ).toEqual([]);
  });
});
