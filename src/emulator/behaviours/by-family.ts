import type { Behaviour } from '../world.ts';
import { abuseReportBehaviour } from './abuse-reports.ts';
import { agentIngressBehaviour } from './agent-ingress.ts';
import { certificateAuthorityBehaviour } from './certificate-authority.ts';
import { endpointBehaviour } from './endpoint.ts';
import { eventSubscriptionBehaviour } from './event-subscription.ts';
import { httpsEdgeBehaviour } from './https-edge.ts';
import { httpsEdgeRouteBehaviour } from './https-edge-route.ts';
import { reservedAddrBehaviour } from './reserved-addr.ts';
import { sshHostCertificateBehaviour } from './ssh-host-certificate.ts';
import { tunnelSessionBehaviour } from './tunnel-session.ts';

/** What each family does beyond keeping what it was given; a family without an entry only keeps. */
export const behaviours: ReadonlyMap<string, Behaviour> = new Map([
  ['HTTPSEdge', httpsEdgeBehaviour],
  ['HTTPSEdgeRoute', httpsEdgeRouteBehaviour],
  ['ReservedAddr', reservedAddrBehaviour],
  ['CertificateAuthority', certificateAuthorityBehaviour],
  ['AgentIngress', agentIngressBehaviour],
  ['SSHHostCertificate', sshHostCertificateBehaviour],
  ['EventSubscription', eventSubscriptionBehaviour],
  ['Endpoint', endpointBehaviour],
  ['TunnelSession', tunnelSessionBehaviour],
  ['AbuseReport', abuseReportBehaviour],
]);
