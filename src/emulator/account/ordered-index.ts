/** Ids in the order of a key, found and paged in time that depends on the page and not on how many there are. */
export class OrderedIndex {
  readonly #entries: { readonly key: number; readonly id: string }[] = [];
  /** Keys by id, those of ids that left included: a page may begin behind one. */
  readonly #keys = new Map<string, number>();

  /** Puts an id in its place. */
  add(id: string, key: number): void {
    this.#keys.set(id, key);
    if (key > (this.#entries.at(-1)?.key ?? -Infinity)) this.#entries.push({ key, id });
    else this.#entries.splice(this.#firstAbove(key), 0, { key, id });
  }

  /** Takes an id out; pages may still begin behind where it was. */
  remove(id: string): void {
    const key = this.#keys.get(id);
    if (key === undefined) return;
    const at = this.#firstAbove(key) - 1;
    if (this.#entries[at]?.id === id) this.#entries.splice(at, 1);
  }

  /** Up to `count` ids from the highest key down, from below `before` on; undefined when no such id ever was. */
  page(
    count: number,
    before: string | undefined,
  ): { readonly ids: readonly string[]; readonly more: boolean } | undefined {
    let end = this.#entries.length;
    if (before !== undefined) {
      const key = this.#keys.get(before);
      if (key === undefined) return undefined;
      end = this.#firstAbove(key);
      if (this.#entries[end - 1]?.id === before) end -= 1;
    }
    const start = Math.max(0, end - count);
    const ids = this.#entries.slice(start, end).map(({ id }) => id);
    return { ids: ids.reverse(), more: start > 0 };
  }

  /** Every id, from the lowest key up. */
  ids(): readonly string[] {
    return this.#entries.map(({ id }) => id);
  }

  #firstAbove(key: number): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.key ?? Infinity) <= key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
