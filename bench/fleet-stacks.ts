import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many resources each stack of a fleet has: a fifth of one kind, the others of another. */
export const resourcesOfStack = 50;

const subscriptions = 10;
const perPage = 100;

/** Writes a stack with resources of two kinds; `more` is more of its stack file. */
export function writeStack(
  dir: string,
  {
    name,
    n,
    url,
    intervalMs,
    rate,
    more = '',
  }: {
    readonly name: string;
    readonly n: number;
    readonly url: string;
    readonly intervalMs: number;
    readonly rate?: string;
    readonly more?: string;
  },
): void {
  mkdirSync(join(dir, 'manifests'), { recursive: true });
  const id = n.toString(16).padStart(8, '0');
  const limit = rate === undefined ? '' : `, rate_limit: ${rate}`;
  writeFileSync(
    join(dir, 'sluice.yaml'),
    `version: 1
api: {base_url: "${url}", vendor: example${limit}}
stack: {name: ${name}, id: "${id}"}
manifests: [manifests]
watch: {interval: ${String(intervalMs / 1000)}s, debounce: 1s, prune: true}
${more}`,
  );
  const documents = Array.from({ length: resourcesOfStack }, (_, one) =>
    one < subscriptions
      ? `apiVersion: sluice/v1\nkind: EventSubscription\nmetadata: {name: s-${String(one)}}\nspec: {description: Of ${name}, sources: [{type: ip_policy_created.v0}], destination_ids: [ed_bench]}\n`
      : `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a-${String(one)}}\nspec: {region: eu, description: Of ${name}}\n`,
  );
  writeFileSync(join(dir, 'manifests/all.yaml'), documents.join('---\n'));
}

/** How many pages the lists of an account with so many of these stacks have. */
export function pagesOf(stacks: number): number {
  return (
    Math.ceil((stacks * (resourcesOfStack - subscriptions)) / perPage) + Math.ceil((stacks * subscriptions) / perPage)
  );
}
