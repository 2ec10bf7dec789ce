import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Manifests of so many resources: half reserved addresses, a fifth event subscriptions, the rest edges with three routes. Answers how many requests list them all. */
export function writeCorpus(dir: string, resources: number, edition = 'first'): { readonly pages: number } {
  const [addresses, subscriptions] = [resources / 2, resources / 5];
  const edges = (resources - addresses - subscriptions) / 4;
  writeKind(dir, 'addresses', addresses, (n) => [
    'kind: ReservedAddr',
    `metadata: {name: address-${n}, labels: {team: team-${n % 7}}}`,
    'lifecycle: {protect: false}',
    `spec: {region: eu, description: "Address ${n}, ${edition} edition", metadata: {team: "team-${n % 7}"}}`,
  ]);
  writeKind(dir, 'subscriptions', subscriptions, (n) => [
    'kind: EventSubscription',
    `metadata: {name: subscription-${n}}`,
    'spec:',
    `  description: Subscription ${n}, ${edition} edition`,
    '  sources: [{type: ip_policy_created.v0}, {type: ip_policy_deleted.v0}]',
    '  destination_ids: [ed_bench]',
  ]);
  writeKind(dir, 'edges', edges, (n) => [
    'kind: HTTPSEdge',
    `metadata: {name: shop-${n}}`,
    'spec:',
    `  description: Shop ${n}, ${edition} edition`,
    `  hostports: [shop-${n}.example.com:443]`,
    '  routes:',
    ...['/', '/api', '/admin'].flatMap((match) => [
      '    - match_type: path_prefix',
      `      match: ${match}`,
      `      description: Route ${match}, ${edition} edition`,
      '      backend: {backend_id: bkd_bench}',
      '      compression: {}',
      '      oauth: {provider: {google: {email_domains: [example.com]}}}',
    ]),
  ]);
  return { pages: [addresses, subscriptions, edges].reduce((sum, count) => sum + Math.ceil(count / 100), 0) };
}

/** Manifests of so many resources of one kind, several to a file. */
export function writeKind(
  dir: string,
  name: string,
  count: number,
  lines: (n: number) => readonly string[],
  perFile = 20,
): void {
  const folder = join(dir, 'manifests', name);
  mkdirSync(folder, { recursive: true });
  for (let first = 0; first < count; first += perFile) {
    const numbers = Array.from({ length: Math.min(perFile, count - first) }, (_, index) => first + index);
    const documents = numbers.map((n) => ['apiVersion: sluice/v1', ...lines(n), ''].join('\n'));
    writeFileSync(join(folder, `${String(first).padStart(6, '0')}.yaml`), documents.join('---\n'));
  }
}
