import { stringify } from 'yaml';

/** One resource as a manifest describes it. */
export interface Item {
  readonly address: string;
  /** In which file it always stands, so that a tree with some files old and some new lacks nothing that both have. */
  readonly file: string;
  readonly kind: string;
  readonly name: string;
  /** In write form, without references, and without the secret that comes from a file. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** The edge that a route belongs to. */
  readonly edge?: string;
  readonly isAlwaysThere?: boolean;
}

/** Every file that manifests may stand in. */
export const files = ['edges.yaml', 'routes.yaml', 'addresses.yaml', 'events.yaml'] as const;

/** An account is asked for, by way of Google. */
export const byAccount = { oauth: { provider: { google: { email_domains: ['example.com'] } } } };

/** An account is asked for, at a provider to whom we are known by a secret. */
export const byProvider = { oidc: { issuer: 'https://login.example.com', client_id: 'shop' } };

/** An address that may be deleted. */
export function addr(name: string): Item {
  const spec = { region: 'eu', description: name };
  return { address: `ReservedAddr/${name}`, file: 'addresses.yaml', kind: 'ReservedAddr', name, spec };
}

/** A subscription. */
export function subscription(name: string): Item {
  const spec = { description: name, sources: [{ type: 'edge_updated.v0' }], destination_ids: ['evd_1'] };
  return { address: `EventSubscription/${name}`, file: 'events.yaml', kind: 'EventSubscription', name, spec };
}

/** An edge that is never left out. */
export function edge(name: string, hostport: string): Item {
  const spec = { description: name, hostports: [hostport] };
  return { address: `HTTPSEdge/${name}`, file: 'edges.yaml', kind: 'HTTPSEdge', name, spec, isAlwaysThere: true };
}

/** A route of an edge. */
export function route(home: string, name: string, match: string, control: object = {}): Item {
  const spec = { description: name, match_type: 'path_prefix', match, backend: { backend_id: 'bkd_1' }, ...control };
  return {
    address: `HTTPSEdgeRoute/${home}:${name}`,
    file: 'routes.yaml',
    kind: 'HTTPSEdgeRoute',
    name,
    edge: home,
    spec,
  };
}

/** The document that describes it; the secret comes from a file. */
export function manifestOf({ kind, name, spec: { oidc, ...spec }, edge: home }: Item, secretFile: string): string {
  return stringify({
    apiVersion: 'sluice/v1',
    kind,
    metadata: { name },
    lifecycle: { protect: false },
    spec: {
      ...spec,
      ...(home === undefined ? {} : { edge_id: { ref: home } }),
      ...(oidc === undefined ? {} : { oidc: { ...(oidc as object), client_secret: { from_file: secretFile } } }),
    },
  });
}
