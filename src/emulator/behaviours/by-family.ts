import type { Behaviour } from '../world.ts';
import { abuseReportBehaviour } from './abuse-reports.ts';
import { agentIngressBehaviour } from './agent-ingress.ts';
import { certificateAuthorityBehaviour } from './certificate-authority.ts';
import { httpsEdgeBehaviour } from './https-edge.ts';
import { httpsEdgeRouteBehaviour } from './https-edge-route.ts';
import { sshHostCertificateBehaviour } from './ssh-host-certificate.ts';
import { bringBack, restartAgent, stopAgent, updateAgent } from '../agents/agents.ts';
import { showEndpoint } from '../agents/served-endpoints.ts';
import { isSpecObject, textOf } from '../../kinds/value.ts';
import { listOf } from '../forms/plain.ts';

/** An endpoint is only ever derived from what serves it. A TCP endpoint may be at an address that is reserved no longer. */
const endpointBehaviour: Behaviour = {
  pass: bringBack,
  live: ({ own }) => own['proto'] === 'tcp',
  show: (read, _resource, world, origin) => showEndpoint(read, world, origin),
};

/** Sessions are agents that are online; they obey commands. */
const tunnelSessionBehaviour: Behaviour = {
  pass: bringBack,
  act: (action, session, world) => {
    if (action === 'restart') restartAgent(session, world);
    else if (action === 'update') updateAgent(session, world);
    else stopAgent(session, world);
  },
};

/** An address is given once, at creation, in its region. */
const reservedAddrBehaviour: Behaviour = {
  decide: ({ id, spec, own }, before, { chance }) =>
    before === undefined
      ? {
          addr: `${chance.number(1_000_000, id, 'host')}.tcp.${typeof spec['region'] === 'string' ? spec['region'] : 'us'}.emulator.invalid:${10_000 + chance.number(20_000, id, 'port')}`,
        }
      : own,
};

/** Every source has an address below its subscription. */
const eventSubscriptionBehaviour: Behaviour = {
  show: (read) => ({
    ...read,
    sources: listOf(read['sources'])
      .filter(isSpecObject)
      .map((source) => ({
        ...source,
        uri: `${textOf(read['uri'])}/sources/${encodeURIComponent(textOf(source['type']))}`,
      })),
  }),
};

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
