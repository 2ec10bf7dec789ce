/** The commit that manifests are of. It is read once, before they are. */
export interface Checkout {
  readonly commit: string;
  /** Whether files of the stack, as they were read, have changes that are not in the commit; undefined if that is unknown. */
  readonly uncommitted: () => Promise<boolean | undefined>;
}

/** Of manifests that were read from the commit itself. */
export function committed(commit: string): Checkout {
  return { commit, uncommitted: () => Promise.resolve(false) };
}
