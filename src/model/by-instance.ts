/** Values for resources, by kind and id: resources of several kinds may have the same id, and a string made of kind and id would cost more than two look-ups. */
export class ByInstance<T> {
  readonly #ofKind = new Map<string, Map<string, T>>();

  get(kind: string, id: string): T | undefined {
    return this.#ofKind.get(kind)?.get(id);
  }

  get isEmpty(): boolean {
    return this.#ofKind.size === 0;
  }

  set(kind: string, id: string, value: T): void {
    const ofKind = this.#ofKind.get(kind);
    if (ofKind === undefined) this.#ofKind.set(kind, new Map([[id, value]]));
    else ofKind.set(id, value);
  }
}
