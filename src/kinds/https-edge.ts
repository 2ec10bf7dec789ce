import type { Kind, Rule } from './kind.ts';
import { entriesInWords } from './admitted.ts';
import { hostport } from './formats/hostport.ts';
import { knownWord } from './lints.ts';
import { endsUpstream, noMutualTlsReported, noMutualTlsUpstream } from './upstream.ts';
import { computed, description, identity, metadata, module, oneOf, refs, required, setOf, text } from './fields.ts';

const noVersionUpstream: Rule = {
  code: 'MIN_VERSION_WITH_UPSTREAM_TLS',
  since: 'described',
  check: ({ terminate_at, min_version }) =>
    terminate_at === 'upstream' && min_version !== undefined && min_version !== null
      ? [{ path: ['min_version'], message: '`min_version` must be null when `terminate_at` is `upstream`' }]
      : [],
};

/** Where public HTTPS traffic arrives. */
export const httpsEdge: Kind = {
  name: 'HTTPSEdge',
  doc: 'Edge configuration for HTTPS hostports, with mutual TLS and TLS termination.',
  path: '/edges/https',
  listKey: 'https_edges',
  idPrefix: 'edghts',
  operations: { create: 'described', get: 'described', list: 'completed', update: 'completed', delete: 'described' },
  fields: {
    ...identity,
    description: description(),
    metadata: metadata(),
    hostports: setOf(
      text('hostname:port.', { compare: 'caseless', format: 'hostport', identifies: true, checks: [hostport] }),
      'Hostports served by the edge.',
    ),
    mutual_tls: module(
      'Requires a client certificate.',
      {
        certificate_authority_ids: required(
          refs('CertificateAuthority', 'Authorities that may issue client certificates.', 'certificate_authorities', {
            widensWhen: 'grows',
          }),
        ),
      },
      {
        accessControl: 'client-certificate',
        admitted: (module) => entriesInWords(module, ['certificate_authority_ids']),
        inEffectWith: 'certificate_authority_ids',
        path: { suffix: '/mutual_tls', since: 'completed' },
      },
    ),
    tls_termination: module(
      'TLS termination.',
      {
        min_version: text('Minimum TLS version; by default the service chooses a safe version.', {
          default: undefined,
          alsoUnset: [''],
          widensWhen: 'lowered',
          examples: ['1.2', '1.3'],
          lints: [knownWord('TLS version', ['1.0', '1.1', '1.2', '1.3'])],
          identifies: true,
        }),
        terminate_at: {
          ...computed(
            oneOf(['edge', 'upstream'], 'Where TLS is terminated: at the edge, or upstream by the application.'),
          ),
          default: 'edge',
          acceptedOnWrite: true,
        },
      },
      { filter: 'tls', path: { suffix: '/tls_termination', since: 'completed' }, rules: [noVersionUpstream] },
    ),
  },
  rules: [noMutualTlsUpstream],
  reported: [noMutualTlsReported],
  unique: [
    {
      field: 'hostports',
      scope: 'account',
      compare: 'caseless',
      since: 'completed',
      temporaryValue: 'empty',
      lastValueError: 'LAST_HOSTPORT_REQUIRED',
    },
  ],
  traffic: { listens: 'hostports', passesThrough: endsUpstream },
  printerColumns: ['hostports'],
};
