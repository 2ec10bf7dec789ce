/** The commit that manifests are of. It is read once, before they are. */
export interface Checkout {
  readonly commit: string;
  /** Whether files of the stack, as they were read, have changes that are not in the commit; undefined if that is unknown. */
  readonly uncommitted: () => Promise<boolean | undefined>;
}

/** A commit as git names it: whole, or shortened to seven digits or more. */
export const commitName = /^[0-9a-f]{7,64}$/;
