/** The manifest of an edge with one route, for tests of what becomes of it under another name. */
export function shopEdge(name: string, lifecycle = '', routeLifecycle?: string): string {
  const own = routeLifecycle === undefined ? '' : `lifecycle: {${routeLifecycle}}, `;
  return `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: ${name}}
lifecycle: {${lifecycle}}
spec:
  hostports: [shop.example.com:443]
  routes:
    - {name: root, ${own}match_type: path_prefix, match: /, backend: {backend_id: b_pub}}
`;
}
