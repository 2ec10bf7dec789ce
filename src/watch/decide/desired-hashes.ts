import { hash } from 'node:crypto';
import type { Address } from '../../model/address.ts';
import type { DesiredStack } from '../../model/resource.ts';
import { encodeValue } from '../../plan/saved/encoded.ts';

/** What the manifests want of each address, beside what they wanted when it last stood so. */
export class DesiredHashes {
  #now: ReadonlyMap<Address, string> = new Map();
  #stood = new Map<Address, string>();

  /** Takes in what is wanted now; secrets by their digests, which are slow to make. An address that is seen for the first time counts as one that nobody has touched. */
  read({ resources }: DesiredStack, digest: (text: string) => string): void {
    this.#now = new Map(
      resources.map(({ address, spec, lifecycle }) => [
        address,
        hash('sha256', JSON.stringify(encodeValue([spec, { ...lifecycle }], digest)), 'base64url'),
      ]),
    );
    this.#stood = new Map([...this.#now].map(([address, text]) => [address, this.#stood.get(address) ?? text]));
  }

  /** Stands for what is wanted of an address; the same text while that is the same. */
  of(address: Address): string | undefined {
    return this.#now.get(address);
  }

  /** Whether something else is wanted of an address than when it last stood as wanted. */
  isTouched(address: Address): boolean {
    return this.#stood.get(address) !== this.#now.get(address);
  }

  /** It stands as wanted. */
  stands(address: Address): void {
    const text = this.#now.get(address);
    if (text !== undefined) this.#stood.set(address, text);
  }

  clear(): void {
    this.#stood.clear();
  }
}
