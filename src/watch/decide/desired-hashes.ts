import { hash } from 'node:crypto';
import type { Address } from '../../model/address.ts';
import type { DesiredStack } from '../../model/resource.ts';
import { mapSliced, type Sliced } from '../../model/sliced.ts';
import { encodeValue } from '../../plan/saved/encoded.ts';

/** Hashes of the desired spec of each address: now, and when it was last in sync. */
export class DesiredHashes {
  #desired: ReadonlyMap<Address, string> = new Map();
  /** What they were made of. */
  #of: readonly unknown[] = [];
  #applied = new Map<Address, string>();
  readonly #inSync = new Map<Address, string>();

  /** Takes the desired specs of a reconciliation; secrets by their digests, which are slow to make. A new address counts as unchanged. */
  *update({ resources }: DesiredStack, digest: (text: string) => string): Sliced<void> {
    if (this.#of[0] === resources && this.#of[1] === digest) return;
    this.#desired = new Map(
      yield* mapSliced(resources, ({ address, spec, lifecycle }): [Address, string] => [
        address,
        hash('sha256', JSON.stringify(encodeValue([spec, { ...lifecycle }], digest)), 'base64url'),
      ]),
    );
    this.#applied = new Map([...this.#desired].map(([address, text]) => [address, this.#applied.get(address) ?? text]));
    for (const address of this.#inSync.keys()) if (!this.#desired.has(address)) this.#inSync.delete(address);
    this.#of = [resources, digest];
  }

  /** The hash of the desired spec of an address. */
  of(address: Address): string | undefined {
    return this.#desired.get(address);
  }

  /** Whether the desired spec has changed since the address was last in sync. */
  hasChanged(address: Address): boolean {
    return this.#applied.get(address) !== this.#desired.get(address);
  }

  /** Whether the address was in sync with the desired spec as it is, and this process has seen that. */
  wasInSync(address: Address): boolean {
    const seen = this.#inSync.get(address);
    return seen !== undefined && seen === this.#desired.get(address);
  }

  /** Records that an address is in sync. */
  markApplied(address: Address): void {
    const text = this.#desired.get(address);
    if (text === undefined) return;
    this.#applied.set(address, text);
    this.#inSync.set(address, text);
  }

  clear(): void {
    this.#of = [];
    this.#applied.clear();
    this.#inSync.clear();
  }
}
