import { splitMetadata } from '../../src/derive/marker.ts';
import type { Stored } from '../../src/emulator/family.ts';
import { Secret } from '../../src/kinds/value.ts';
import { wantedIn, type Revision } from './company.ts';
import type { Item } from './items.ts';

/** What an account lacks, has too much or has otherwise than a revision describes, found without asking sluice. */
export function* deviations(
  resources: readonly Stored[],
  stack: string,
  revision: Revision,
  secret: string,
): Iterable<string> {
  const found = new Map<string, Stored[]>();
  for (const resource of resources) {
    const { metadata } = resource.spec;
    const marker = typeof metadata === 'string' ? splitMetadata(metadata).marker : undefined;
    if (marker?.s.split('/')[0] === stack) found.set(marker.a, [...(found.get(marker.a) ?? []), resource]);
  }
  const wanted = new Map(wantedIn(revision).map((item) => [item.address, item]));
  for (const [address, there] of found) {
    if (!wanted.has(address)) yield `${address} is there and not wanted`;
    else if (there.length > 1) yield `${address} is there ${there.length} times`;
  }
  for (const [address, item] of wanted) {
    const [there] = found.get(address) ?? [];
    if (there === undefined) {
      yield `${address} is not there`;
      continue;
    }
    const [is, should] = [text(formOf(there.spec)), text(formOf(withSecret(item, secret)))];
    if (is !== should) yield `${address} is ${is} and not ${should}`;
    const home = found.get(`HTTPSEdge/${item.edge ?? ''}`)?.[0]?.id;
    if (there.parent !== home) yield `${address} is on another edge`;
  }
}

function withSecret({ spec }: Item, secret: string): Readonly<Record<string, unknown>> {
  const { oidc, ...rest } = spec;
  return oidc === undefined ? rest : { ...rest, oidc: { ...(oidc as object), client_secret: secret } };
}

// What the service adds automatically, or keeps for sluice.
const added = new Set(['metadata', 'enabled']);

/** A value in a form that is equal where the meaning is. */
function formOf(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map((item) => text(formOf(item))).sort();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !added.has(name));
  return Object.fromEntries(
    entries.map(([name, inner]): [string, unknown] => [name, formOf(inner)]).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
