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

/** The manifest of an edge with two routes, under a description. */
export function describedShop(description: string): { readonly 'stack.yaml': string } {
  return {
    'stack.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  description: ${description}
  routes:
    - {match_type: path_prefix, match: /, backend: {backend_id: bkd_app}}
    - {match_type: path_prefix, match: /api, backend: {backend_id: bkd_api}}
`,
  };
}

/** The manifest of an edge with these routes, in flow style. */
export function shopWith(routes: string): { readonly 'stack.yaml': string } {
  return {
    'stack.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes: [${routes}]
`,
  };
}
