import { idsIn } from '../../derive/references.ts';
import type { AccountData } from './account-data.ts';
import { claimsOf } from './claims.ts';
import type { Family, Stored } from '../family.ts';
import { OrderedIndex } from './ordered-index.ts';

/** The resources of the account, found by id, by list, by what they claim and by what refers to them. */
export class AccountStore {
  readonly #families: ReadonlyMap<string, Family>;
  readonly #order: (seq: number, id: string) => number;
  readonly #byId = new Map<string, Stored>();
  readonly #lists = new Map<string, OrderedIndex>();
  readonly #holders = new Map<string, Set<string>>();
  readonly #referrers = new Map<string, Set<string>>();
  readonly keys = new Map<string, string>();
  readonly notes = new Map<string, string>();
  created = 0;

  /** @param order the sort key of a resource in lists: the highest comes first */
  constructor(families: ReadonlyMap<string, Family>, order: (seq: number, id: string) => number) {
    this.#families = families;
    this.#order = order;
  }

  get(kind: string, id: string): Stored | undefined {
    const found = this.#byId.get(id);
    return found?.kind === kind ? found : undefined;
  }

  /** Adds a resource, or puts its new form in the place of the old. The parent gets a new form too: it shows its children. */
  put(resource: Stored): void {
    const before = this.#byId.get(resource.id);
    if (before === undefined)
      this.list(resource.kind, resource.parent).add(resource.id, this.#order(resource.seq, resource.id));
    else this.#index(before, leave);
    this.#byId.set(resource.id, resource);
    this.#index(resource, enter);
    this.touch(resource.parent);
  }

  remove(resource: Stored): void {
    this.#index(resource, leave);
    this.#byId.delete(resource.id);
    this.list(resource.kind, resource.parent).remove(resource.id);
    this.touch(resource.parent);
  }

  /** Makes what was rendered of a resource stale. */
  touch(id: string | undefined): void {
    const resource = id === undefined ? undefined : this.#byId.get(id);
    if (resource !== undefined) this.#byId.set(resource.id, { ...resource });
  }

  /** The resources of a kind, or those of it inside one parent. */
  list(kind: string, parent?: string): OrderedIndex {
    const key = parent === undefined ? kind : `${kind}/${parent}`;
    let list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, (list = new OrderedIndex()));
    return list;
  }

  all(kind: string, parent?: string): Stored[] {
    return this.list(kind, parent)
      .ids()
      .flatMap((id) => this.get(kind, id) ?? []);
  }

  /** The resource of a kind that was created last. */
  latest(kind: string): Stored | undefined {
    let latest: Stored | undefined;
    for (const one of this.#byId.values()) if (one.kind === kind && one.seq >= (latest?.seq ?? 0)) latest = one;
    return latest;
  }

  /** Who else holds a claim. */
  holder(key: string, except: string | undefined): string | undefined {
    return [...(this.#holders.get(key) ?? [])].find((id) => id !== except);
  }

  /** A resource that refers to the id. */
  referrer(id: string): Stored | undefined {
    const [first] = this.#referrers.get(id) ?? [];
    return first === undefined ? undefined : this.#byId.get(first);
  }

  snapshot(drawn: number): AccountData {
    return {
      format: 1,
      drawn,
      created: this.created,
      resources: [...this.#byId.values()].sort((a, b) => a.seq - b.seq),
      keys: Object.fromEntries(this.keys),
      notes: Object.fromEntries(this.notes),
    };
  }

  restore(kept: AccountData): void {
    for (const index of [this.#byId, this.#lists, this.#holders, this.#referrers, this.keys, this.notes]) index.clear();
    this.created = kept.created;
    // As a copy: what was rendered of a resource is kept by its object, and may show children that are gone.
    for (const resource of kept.resources) if (this.#families.has(resource.kind)) this.put({ ...resource });
    for (const [id, key] of Object.entries(kept.keys)) this.keys.set(id, key);
    for (const [name, note] of Object.entries(kept.notes)) this.notes.set(name, note);
  }

  /** Puts a resource into the indexes of what it holds and refers to, or takes it out. */
  #index(resource: Stored, change: typeof enter): void {
    const family = this.#families.get(resource.kind);
    if (family === undefined) return;
    for (const { key } of claimsOf(family, resource)) change(this.#holders, key, resource.id);
    for (const { id } of idsIn(family, resource.spec)) change(this.#referrers, id, resource.id);
  }
}

function enter(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, new Set([id]));
  else ids.add(id);
}

function leave(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  ids?.delete(id);
  if (ids?.size === 0) index.delete(key);
}
