import { Secret, type SpecObject } from '../../src/kinds/value.ts';
import { setting, type Visitor } from '../support/admission.ts';
import { to } from './support.ts';

const app = { client_id: 'app', client_secret: new Secret('s3cret') };
const guests = [
  {},
  { email_domains: ['a.com'] },
  { email_domains: ['a.com', 'b.com'] },
  { email_addresses: ['ann@a.com'] },
];
const teams = [{}, { teams: ['a/x'] }, { teams: ['a/x', 'a/y'] }, { organizations: ['a'] }];
const passing = [{}, { options_passthrough: true }, { options_passthrough: false }];

/** Settings of every access control of a route. */
export const controls: Readonly<Record<string, readonly SpecObject[]>> = {
  oauth: [
    ...guests.map((google) => ({ provider: { google } })),
    ...teams.map((github) => ({ provider: { github } })),
  ].flatMap((oauth) => passing.map((more) => ({ ...oauth, ...more }))),
  oidc: ['https://id.example.com', 'https://login.example.com'].flatMap((issuer) =>
    passing.map((more) => ({ issuer, ...app, ...more })),
  ),
  saml: ['<A/>', '<B/>'].flatMap((idp_metadata) =>
    [[], ['staff'], ['staff', 'guests']].map((authorized_groups) => ({ idp_metadata, authorized_groups })),
  ),
  webhook_verification: ['github', 'gitlab'].map((provider) => ({ provider, secret: new Secret('s3cret') })),
  ip_restriction: [['ipp_a'], ['ipp_b'], ['ipp_a', 'ipp_b'], ['ipp_b', 'ipp_a']].map((ip_policy_ids) => ({
    ip_policy_ids,
  })),
  user_agent_filter: [{ deny: ['curl'] }, { deny: ['curl', 'wget'] }, { allow: ['curl'] }],
  traffic_policy: [{ value: '{"deny":true}' }, { value: '{"deny":false}' }],
};
/** Settings of mutual TLS. */
export const trusted: readonly SpecObject[] = [[], ['a'], ['b'], ['a', 'b']].map((names) => ({
  mutual_tls: { certificate_authority_ids: names.map((name) => to(`CertificateAuthority/${name}`)) },
}));
/** Settings of TLS termination. */
export const versions: readonly SpecObject[] = [{}, { min_version: '1.2' }, { min_version: '1.3' }].map(
  (tls_termination) => ({
    tls_termination,
  }),
);

/** A visitor who shows nothing. */
export const blank: Visitor = {
  isOptions: false,
  tls: '',
  authority: '',
  provider: '',
  email: '',
  memberOf: '',
  signs: '',
  passes: {},
};

/** What a visitor can show, by the access controls that look at it: each looks at nothing else. */
export const shown: Readonly<Record<string, readonly Partial<Visitor>[]>> = {
  mutual_tls: ['', 'ca_a', 'ca_b'].map((authority) => ({ authority })),
  tls_termination: ['1.2', '1.3', '1.1'].map((tls) => ({ tls })),
  'oauth oidc saml': [
    '',
    'google',
    'github',
    'https://id.example.com app',
    'https://login.example.com app',
    '<A/>',
    '<B/>',
  ].flatMap((provider) =>
    ['nobody@c.com', 'ann@a.com', 'bob@a.com', 'bob@b.com'].flatMap((email) =>
      ['', 'a/x', 'a/y', 'a/z', 'staff', 'guests'].flatMap((memberOf) =>
        [false, true].map((isOptions) => ({ provider, email, memberOf, isOptions })),
      ),
    ),
  ),
  webhook_verification: ['', 'github', 'gitlab'].map((signs) => ({ signs })),
  ...Object.fromEntries(
    ['ip_restriction', 'user_agent_filter', 'traffic_policy'].map((name) => [
      name,
      [{ passes: {} }, ...(controls[name] ?? []).map((module) => ({ passes: { [name]: setting(module) } }))],
    ]),
  ),
};
