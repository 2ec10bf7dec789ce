import type { Address } from '../../model/address.ts';
import type { Introduction, PendingChange, Revision } from '../../model/status/watch-status.ts';

type Introduced = Pick<PendingChange, 'address' | 'cause'>;
type HashOf = (address: Address) => string | undefined;
type Known = Map<Address, Introduction & { readonly hash: string | undefined }>;

/** The revisions with which pending changes of the manifests came, as far as this process has seen them come. */
export class Introductions {
  #known: Known = new Map();
  /** The content of the first revision that was compared: its changes may be older. */
  #first: string | undefined;

  /** Takes the changes that are pending at a revision; a change whose desired spec is as before keeps its revision. */
  update(changes: readonly Introduced[], revision: Revision, hashOf: HashOf): ReadonlyMap<Address, Introduction> {
    this.#first ??= revision.content;
    const before = this.#known;
    this.#known = new Map();
    return this.add(changes, revision, hashOf, before);
  }

  /** Takes further changes that have become pending at the revision. */
  add(
    changes: readonly Introduced[],
    revision: Revision,
    hashOf: HashOf,
    before: Known = this.#known,
  ): ReadonlyMap<Address, Introduction> {
    const isExact = revision.content !== this.#first;
    for (const { address, cause } of changes) {
      if (cause !== 'revision' && cause !== 'removal') continue;
      const [hash, known] = [hashOf(address), before.get(address)];
      this.#known.set(address, known !== undefined && known.hash === hash ? known : { revision, isExact, hash });
    }
    return new Map([...this.#known].map(([address, { hash: _, ...introduction }]) => [address, introduction]));
  }

  /** Forgets everything: another process may have been the leader. */
  clear(): void {
    this.#known.clear();
    this.#first = undefined;
  }
}
