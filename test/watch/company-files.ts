import { readFileSync } from 'node:fs';

/** An address, as text of a manifest. */
export function address(name: string, description: string, lifecycle = '{protect: false}'): string {
  return `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
lifecycle: ${lifecycle}
spec: {region: eu, description: ${description}}
---
`;
}

/** Several addresses. */
export function addresses(...names: string[]): string {
  return names.map((name) => address(name, name)).join('');
}

/** The shop's edge with one route, which asks for a login of one of these domains, or of nobody. */
export function shop(domains: readonly string[], description = 'Shop'): string {
  const oauth = domains.length === 0 ? '' : `, oauth: {provider: {google: {email_domains: [${domains.join(', ')}]}}}`;
  return edge(description, [`{name: front, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}${oauth}}`]);
}

/** The shop's edge with two routes, each of which takes one of two paths; to trade them takes three requests. */
export function shopOfTwo(first: string, second: string, description = 'Shop'): string {
  const route = (name: string, match: string): string =>
    `{name: ${name}, match_type: path_prefix, match: ${match}, backend: {backend_id: bkd_${name}}}`;
  return edge(description, [route('one', first), route('two', second)]);
}

function edge(description: string, routes: readonly string[]): string {
  return `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  description: ${description}
  hostports: [shop.example.com:443]
  routes:
${routes.map((route) => `    - ${route}\n`).join('')}---
`;
}

/** The authority that signs the certificates of our partners. */
export function partners(): string {
  const pem = readFileSync(new URL('../generators/data/partners-ca.pem', import.meta.url), 'utf8');
  return `apiVersion: sluice/v1
kind: CertificateAuthority
metadata: {name: partners}
spec: {ca_pem: ${JSON.stringify(pem)}}
---
`;
}

/** The shop's edge for partners alone. */
export function shopForPartners(domains: readonly string[]): string {
  return shop(domains).replace('  routes:', '  mutual_tls: {certificate_authority_ids: [{ref: partners}]}\n  routes:');
}

/** A certificate that is valid for so long, and due to be renewed so long before it ends. */
export function certificate(validFor: string, renewBefore: string): string {
  return `apiVersion: sluice/v1
kind: SSHHostCertificate
metadata: {name: bastion}
lifecycle: {valid_for: ${validFor}, renew_before: ${renewBefore}}
spec:
  ssh_certificate_authority_id: sshca_hosts
  public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIJjIbroJkak329vP7z36PpVOQifX5y76A+H0/pjS6zj bastion
  principals: [bastion.example.com]
---
`;
}
