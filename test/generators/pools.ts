import { readFileSync } from 'node:fs';
import type { FieldFormat } from '../../src/kinds/kind.ts';

/** Names that resources of every kind take; few, so that references meet their targets. */
export const names = ['shop', 'api', 'office', 'partners'] as const;

/** Names for ids that the API does not manage, by family: `External` manifests for them go with every generated stack. */
export const externals: Readonly<Record<string, readonly string[]>> = {
  backend: ['shop-backend', 'api-backend', 'office-backend'],
  ip_policy: ['office-network', 'home-network'],
  event_destination: ['audit-log', 'chat'],
  ssh_certificate_authority: ['host-keys'],
  endpoint_configuration: ['tcp-settings', 'tls-settings'],
};

/** The id an `External` of a name stands for. */
export function externalId(name: string): string {
  return `ext_${name.replaceAll('-', '')}`;
}

/** Values of the formats that texts may have; few, so that edits meet what was there. */
export const byFormat: Readonly<Record<FieldFormat, readonly string[]>> = {
  pem: ['partners-ca.pem', 'suppliers-ca.pem', 'couriers-ca.pem'].map(fixture),
  saml: ['one', 'two'].map(
    (name) =>
      `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://${name}.example.com"/>`,
  ),
  'ssh-public-key': ['bastion-ed25519.pub', 'gate-ecdsa.pub'].map((file) => fixture(file).trim()),
  json: ['{"team":"web"}', '{"team":"api","tier":2}'],
  policy: ['{"on_http_request":[]}', 'on_http_response: []\n'],
  hostport: [
    'shop.example.com:443',
    'www.example.com:443',
    'api.example.com:443',
    'api.example.com:8443',
    '*.example.com:443',
  ],
  hostname: ['connect.example.com', 'agents.example.com', 'example.com'],
  match: ['/', '/cart', '/cart/pay', '/admin', 'shop.example.com', 'shop.example.com/admin'],
  url: ['https://id.example.com', 'https://login.example.com'],
  regex: ['^curl/', 'bot|crawler'],
  'header-name': ['X-Shop', 'X-Trace', 'server'],
  'header-value': ['yes', 'a b', ''],
  email: ['ann@example.com', 'bob@example.com'],
  team: ['example/web', 'example/ops'],
};

/** Texts without a format. */
export const plainTexts = ['one', 'Two words', 'drei äöü'] as const;

/** Times, earlier ones first. */
export const instants = ['2026-01-01T00:00:00Z', '2027-06-01T12:00:00+02:00', '2031-01-01T00:00:00Z'] as const;

/** Texts that are secret: recognisable, and not like a mask. */
export const secrets = ['s3cret-alpha', 's3cret-bravo'] as const;

function fixture(name: string): string {
  return readFileSync(new URL(`data/${name}`, import.meta.url), 'utf8');
}
