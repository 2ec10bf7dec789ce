import type { Address } from '../../model/address.ts';
import type { ChangeCause, Introduction, Revision } from '../../model/watch-status.ts';

/** A pending change, as far as it matters where it came from. */
interface Introduced {
  readonly address: Address;
  readonly cause?: ChangeCause;
}

/** The revisions with which pending changes of the manifests came, as far as this process has seen them come. */
export class Introductions {
  #known = new Map<Address, Introduction & { readonly hash: string | undefined }>();
  /** The content of the first revision that was compared: its changes may be older. */
  #first: string | undefined;

  /** Takes the changes that are pending at a revision; a change whose desired spec is as before keeps its revision. */
  update(
    changes: readonly Introduced[],
    revision: Revision,
    hashOf: (address: Address) => string | undefined,
  ): ReadonlyMap<Address, Introduction> {
    this.#first ??= revision.content;
    const isExact = revision.content !== this.#first;
    this.#known = new Map(
      changes.flatMap(({ address, cause }) => {
        if (cause !== 'revision' && cause !== 'removal') return [];
        const [hash, before] = [hashOf(address), this.#known.get(address)];
        const isSame = before !== undefined && before.hash === hash;
        return [[address, isSame ? before : { revision, isExact, hash }] as const];
      }),
    );
    return new Map([...this.#known].map(([address, { hash: _, ...introduction }]) => [address, introduction]));
  }

  /** Forgets everything: another process may have been the leader. */
  clear(): void {
    this.#known.clear();
    this.#first = undefined;
  }
}
