type Present<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The fields of a value that are not undefined. */
export function present<T extends object>(given: T): Present<T> {
  const found: Partial<T> = {};
  for (const name in given) if (given[name] !== undefined) found[name] = given[name];
  return found as unknown as Present<T>;
}
