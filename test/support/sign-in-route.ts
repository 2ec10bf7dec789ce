/** A route with a sign-in, whose secret the service may hide. */
export interface SignInRoute {
  readonly secret: string;
  readonly client?: string;
  readonly ignore?: readonly string[];
}

/** The manifests of an edge with one route that asks for a sign-in. */
export function signInRoute({ secret, client = 'app', ignore = [] }: SignInRoute): Readonly<Record<string, string>> {
  return {
    'a.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec: {hostports: [shop.example.com:443]}
---
apiVersion: sluice/v1
kind: HTTPSEdgeRoute
metadata: {name: front}
lifecycle: {ignore: [${ignore.join(', ')}]}
spec:
  edge_id: {ref: shop}
  match_type: path_prefix
  match: /
  backend: {backend_id: bkd_1}
  oidc: {issuer: "https://id.example.com", client_id: ${client}, client_secret: ${secret}}
`,
  };
}
