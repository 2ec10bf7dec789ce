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
  group('The job that obtains or renews the certificate; null if no job is active.', {
    error_code: computed(
      oneOf(
        ['INTERNAL_ERROR', 'DNS_ERROR'],
        'Why the certificate job failed; absent while it has not failed. INTERNAL_ERROR is temporary; for DNS_ERROR, correct the NS records of the domain.',
      ),
    ),
    msg: computed(text('Status or error of the certificate job, as text.')),
    started_at: computed(instant('When the certificate job started.')),
    retries_at: computed(instant('When the service retries the certificate job.')),
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
        text('Your own domain, through which agents connect; the service adds regional domains below it.', {
          compare: 'caseless',
          format: 'hostname',
          identifies: true,
          checks: [domainName],
        }),
      ),
    ),
    certificate_management_policy: group(
      'How the service obtains TLS certificates for the domain automatically; null disables automatic certificates.',
      {
        authority: required(
          text('Public certificate authority that issues the certificates, by the name that the service uses.', {
            identifies: true,
            examples: ['example-public-ca'],
          }),
        ),
        private_key_type: byDefault(oneOf(['rsa', 'ecdsa'], 'Type of the private key of the certificates.'), 'rsa'),
      },
    ),
    ns_targets: computed(
      setOf(
        text('A name server of the service.'),
        'Name servers of the service: set the NS records of your domain to them.',
      ),
    ),
    region_domains: computed(
      setOf(text('A domain.'), 'Domains below your domain, one for each region; the service may add more.'),
    ),
    certificate_management_status: computed(
      group('Status of the automatic certificates; null if automatic certificates are disabled.', {
        renews_at: computed(instant('When the service renews the certificate.')),
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
