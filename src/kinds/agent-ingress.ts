import type { Kind } from './kind.ts';
import {
  byDefault,
  computed,
  description,
  group,
  identity,
  immutable,
  instant,
  metadata,
  oneOf,
  required,
  setOf,
  text,
} from './fields.ts';
import { domainName } from './formats/web-names.ts';

const job = computed(
  group('Certificate job in progress; null if none.', {
    error_code: computed(
      oneOf(
        ['INTERNAL_ERROR', 'DNS_ERROR'],
        'Set only on failure. INTERNAL_ERROR is temporary; for DNS_ERROR, correct the NS records of the domain.',
      ),
    ),
    msg: computed(text('Current status or error message.')),
    started_at: computed(instant('When the job started.')),
    retries_at: computed(instant('When the job is retried.')),
  }),
);

/** A custom base domain through which agents connect. */
export const agentIngress: Kind = {
  name: 'AgentIngress',
  doc: 'A custom base domain through which agents connect, with optional automatic TLS certificates.',
  path: '/agent_ingresses',
  listKey: 'ingresses',
  idPrefix: 'agin',
  operations: { create: 'described', get: 'described', list: 'described', update: 'described', delete: 'described' },
  fields: {
    ...identity,
    description: description(),
    metadata: metadata(),
    domain: immutable(
      required(
        text('Your domain, the base of the regional ingress domains.', {
          compare: 'caseless',
          format: 'hostname',
          identifies: true,
          checks: [domainName],
        }),
      ),
    ),
    certificate_management_policy: group('Automatic certificates; null disables them.', {
      authority: required(
        text('Public certificate authority, by the name that the service uses.', {
          identifies: true,
          examples: ['example-public-ca'],
        }),
      ),
      private_key_type: byDefault(oneOf(['rsa', 'ecdsa'], 'Type of the private key.'), 'rsa'),
    }),
    ns_targets: computed(
      setOf(text('A name server.'), 'Name servers for the NS records that delegate the domain to the service.'),
    ),
    region_domains: computed(setOf(text('A domain.'), 'Regional ingress domains below the domain; the list may grow.')),
    certificate_management_status: computed(
      group('Status of automatic certificates; null when disabled.', {
        renews_at: computed(instant('When the certificate is renewed.')),
        provisioning_job: job,
      }),
    ),
  },
  rules: [],
  unique: [{ field: 'domain', scope: 'account', compare: 'caseless', since: 'completed' }],
  clientAddress: {
    by: 'domain',
    reachedBy: 'agents that connect through the domain',
    cutsOff: 'agents that use the domain or its regional domains can no longer connect',
  },
  printerColumns: ['domain'],
  pathOnlyUri: true,
};
