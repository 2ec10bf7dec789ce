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
  doc: 'An HTTPS edge: the hostports that it serves, mutual TLS and TLS termination.',
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
      'Hostports that the edge serves.',
    ),
    mutual_tls: module(
      'Requires clients to present a certificate (mutual TLS).',
      {
        certificate_authority_ids: required(
          refs(
            'CertificateAuthority',
            'Ids of the certificate authorities whose client certificates are accepted.',
            'certificate_authorities',
            { widensWhen: 'grows' },
          ),
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
      'Where TLS is terminated, and the minimum TLS version.',
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
            oneOf(
              ['edge', 'upstream'],
              'Where TLS is terminated: `edge`, or `upstream` (by the application behind the edge).',
            ),
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
