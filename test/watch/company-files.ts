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
  return `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  description: ${description}
  hostports: [shop.example.com:443]
  routes:
    - {name: front, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}${oauth}}
---
`;
}
