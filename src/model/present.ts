type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields of a value that are not undefined. */
export function present<T extends object>(given: T): Present<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<T>;
}
