import { splitMetadata } from '../../src/derive/marker.ts';
import type { Stored } from '../../src/emulator/family.ts';
import { kinds } from '../../src/kinds/index.ts';

/** What an account holds, by whose it is, without ids, times and nonces; several of one owner stand in a row. */
export type Forms = ReadonlyMap<string, readonly string[]>;

/** Reads the forms of what an account keeps, but for what is only ever shown. What is not ours stands under its id. */
export function formsOf(resources: readonly Stored[]): Forms {
  const owners = new Map(
    resources.flatMap(({ id, kind, spec, own }) => {
      const owner = addressOf(spec['metadata']);
      // What the service issues differs with the id.
      const issued = own[kinds.named(kind)?.clientAddress?.by ?? ''];
      return [[id, owner], ...(typeof issued === 'string' ? [[issued, owner && `${owner} as issued`] as const] : [])];
    }),
  );
  const forms = new Map<string, string[]>();
  for (const { id, kind, parent, spec } of resources) {
    if (kinds.named(kind) === undefined) continue;
    const form = JSON.stringify({ kind, parent: named(parent ?? null, owners), spec: formOf(spec, owners) });
    const owner = owners.get(id) ?? id;
    forms.set(owner, [...(forms.get(owner) ?? []), form]);
  }
  return forms;
}

function addressOf(metadata: unknown): string | undefined {
  return typeof metadata === 'string' ? splitMetadata(metadata).marker?.a : undefined;
}

function formOf(value: unknown, owners: ReadonlyMap<string, string | undefined>): unknown {
  if (typeof value === 'string') return named(value, owners);
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(formOf(item, owners))).sort();
  if (typeof value !== 'object' || value === null) return value;
  if ('reveal' in value && typeof value.reveal === 'function') return (value.reveal as () => string).call(value);
  const set = Object.entries(value).filter(([, item]) => !isUnset(item));
  return Object.fromEntries(
    set
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, name === 'metadata' ? withoutNonce(item) : formOf(item, owners)]),
  );
}

function isUnset(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function named(value: string | null, owners: ReadonlyMap<string, string | undefined>): string | null {
  return value === null ? null : (owners.get(value) ?? value);
}

function withoutNonce(metadata: unknown): unknown {
  return typeof metadata === 'string' ? metadata.replace(/"n":"[^"]*"/, '"n":""') : metadata;
}
