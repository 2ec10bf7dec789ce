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
import { domainName } from './web-names.ts';

const job = computed(
  group('What the service is doing about the certificate; null when nothing.', {
    error_code: computed(
      oneOf(['INTERNAL_ERROR', 'DNS_ERROR'], 'Only on failure: INTERNAL_ERROR passes, DNS_ERROR must be corrected.'),
    ),
    msg: computed(text('Current status or error message.')),
    started_at: computed(instant('When the job began.')),
    retries_at: computed(instant('When it is tried again.')),
  }),
);

/** A base domain of one's own through which agents connect. */
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
        text('Domain of yours, the base of the regional ingress domains.', {
          compare: 'caseless',
          format: 'hostname',
          identifies: true,
          checks: [domainName],
        }),
      ),
    ),
    certificate_management_policy: group('Automatic certificates; null disables them.', {
      authority: required(
        text('The public certificate authority to ask, by the name the service gives it.', { identifies: true }),
      ),
      private_key_type: byDefault(oneOf(['rsa', 'ecdsa'], 'Type of the private key.'), 'rsa'),
    }),
    ns_targets: computed(setOf(text('A name server.'), 'NS records that delegate the domain to the service.')),
    region_domains: computed(setOf(text('A domain.'), 'Regional ingress domains below the domain; may grow.')),
    certificate_management_status: computed(
      group('Automatic certificates as they stand; null when disabled.', {
        renews_at: computed(instant('When renewal is next asked for.')),
        provisioning_job: job,
      }),
    ),
  },
  rules: [],
  unique: [{ field: 'domain', scope: 'account', compare: 'caseless', since: 'completed' }],
  reached: {
    by: 'domain',
    cutsOff: 'agents that connect through it, or through its regional domains, lose their way in',
  },
  printerColumns: ['domain'],
  pathOnlyUri: true,
};
