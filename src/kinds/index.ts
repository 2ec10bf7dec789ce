import { agentIngress } from './agent-ingress.ts';
import { certificateAuthority } from './certificate-authority.ts';
import { eventSubscription } from './event-subscription.ts';
import { httpsEdge } from './https-edge.ts';
import { httpsEdgeRoute } from './https-edge-route/index.ts';
import { kindSet } from './kind-set.ts';
import { reservedAddr } from './reserved-addr.ts';
import { sshHostCertificate } from './ssh-host-certificate.ts';

/** Every kind that manifests can describe; a new one is a line here. */
export const kinds = kindSet([
  httpsEdge,
  httpsEdgeRoute,
  reservedAddr,
  certificateAuthority,
  agentIngress,
  sshHostCertificate,
  eventSubscription,
]);

/** Families whose ids manifests refer to by an `External`, because this API does not manage them. */
export const externalTypes = [
  'backend',
  'ip_policy',
  'event_destination',
  'ssh_certificate_authority',
  'endpoint_configuration',
] as const;
