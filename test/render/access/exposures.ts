import type { ExposedUrls, ExposureMap } from '../../../src/model/exposure/exposed-urls.ts';

const audiences: readonly Pick<ExposedUrls, 'audience' | 'who'>[] = [
  { audience: 'public', who: 'anyone' },
  { audience: 'restricted', who: 'authentication (Google accounts: example.com)' },
  {
    audience: 'restricted',
    who: 'mutual TLS (certificates by CertificateAuthority/partners) and authentication (OpenID Connect: https://login.example.com, groups staff, support and on-call-engineers) and IP restriction',
  },
  { audience: 'nobody', who: 'nobody' },
];

/** A made-up map of so many routes, some of them with long names, and with what a plan changes. */
export function exposureOf(routes: number): ExposureMap {
  const rows = Array.from({ length: routes }, (_, n): ExposedUrls => {
    const { audience, who } = audiences[n % audiences.length] as (typeof audiences)[number];
    const path = n % 7 === 3 ? `/reports/quarterly/finance-and-controlling/archive/${n}` : `/part-${n}`;
    const edge = `HTTPSEdge/shop-${n % 3}`;
    return {
      audience,
      who,
      ...(audience === 'nobody' || n % 8 === 0
        ? { before: n % 16 === 0 ? 'authentication (anyone with a Google account)' : 'anyone' }
        : {}),
      urls: [`https://shop-${n % 3}.example.com${path}…`],
      edge,
      route: `${edge.replace('HTTPSEdge', 'HTTPSEdgeRoute')}:${path}`,
    };
  });
  return { rows, variants: [] };
}
