import { agentIngress } from './agent-ingress.ts';
import { certificateAuthority } from './certificate-authority.ts';
import { eventSubscription } from './event-subscription.ts';
import { httpsEdge } from './https-edge.ts';
import { httpsEdgeRoute } from './https-edge-route/index.ts';
import type { Kind, KindSet, NestedKind } from './kind.ts';
import { reservedAddr } from './reserved-addr.ts';
import { sshHostCertificate } from './ssh-host-certificate.ts';
import { views } from './views.ts';

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

/** Makes a set of kinds that can be asked by name. */
export function kindSet(all: readonly Kind[]): KindSet {
  const byName = new Map(all.map((kind) => [kind.name, kind]));
  const nested = all.filter((kind): kind is NestedKind => kind.within !== undefined);
  const inside = new Map(
    nested.map(({ within }) => [within.kind, nested.filter((other) => other.within.kind === within.kind)]),
  );
  return {
    all,
    families: [...all, ...views],
    named: (name) => byName.get(name),
    within: (parent) => inside.get(parent) ?? [],
    outermost: (name) => byName.get(name)?.within?.kind ?? name,
  };
}
