import { type Item, type Written, isMapping } from '../generators/item.ts';
import { sluice } from './terminal.ts';

/** A change of a plan in JSON, as far as adoptions are concerned. */
export interface PlannedChange {
  readonly address: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly importing?: { readonly id: string };
    readonly patch?: readonly unknown[];
  };
}

/** The secret that every generated resource has. */
export const onlySecret = 's3cret-alpha';

/** Taken over as it is, or of this stack already. */
export function isAdoption({ actions, importing, patch }: PlannedChange['change']): boolean {
  return importing === undefined ? actions.join() === 'no-op' : patch?.length === 0;
}

/** The changes that a plan in a directory has. */
export async function plannedChanges(dir: string, io: Parameters<typeof sluice>[2]): Promise<readonly PlannedChange[]> {
  const { code, out, err } = await sluice(dir, 'plan --format json', io);
  if (code !== 0) throw new Error(err);
  return (JSON.parse(out) as { readonly resource_changes: readonly PlannedChange[] }).resource_changes;
}

/** The items with one and the same secret everywhere, so that whoever reads the manifests can give it. */
export function oneSecret(items: readonly Item[]): Item[] {
  const same = (value: Written): Written => {
    if (typeof value === 'string') return value.startsWith('s3cret-') ? onlySecret : value;
    if (Array.isArray(value)) return (value as readonly Written[]).map(same);
    return isMapping(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, same(item)])) : value;
  };
  return items.map((item) => ({ ...item, spec: same(item.spec) as Item['spec'] }));
}

/** A stack over a service. */
export function stackFile(url: string, profile: string): string {
  return `version: 1
stack: {name: company, id: 5c1e7a90}
manifests: [manifests]
api: {base_url: "${url}", vendor: example, profile: ${profile}}
`;
}
