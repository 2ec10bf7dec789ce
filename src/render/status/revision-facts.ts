interface NamedRevision {
  readonly content: string;
  readonly commit?: string | undefined;
}

/** The revisions of a stack. */
export interface StackRevisions<R extends NamedRevision> {
  readonly revision?: R | undefined;
  readonly lastGood?: R | undefined;
  readonly observed?: R | undefined;
  readonly applied?: R | undefined;
}

/** A revision with what it is to the stack. */
export interface RevisionFact<R> {
  readonly label: string;
  /** Absent: none yet. */
  readonly revision?: R;
  /** What is wrong with it, or still to come. */
  readonly note?: string;
}

/** The revision that the account was last compared with, the one that is applied, and a newer one; what is the same is named once. */
export function revisionFacts<R extends NamedRevision>(stack: StackRevisions<R>): readonly RevisionFact<R>[] {
  const { revision, lastGood, observed, applied } = stack;
  const hasErrors = revision !== undefined && lastGood !== undefined && lastGood.content !== revision.content;
  const errors = hasErrors ? { note: 'with errors in the manifests' } : {};
  const isNew = revision !== undefined && !isSame(revision, observed);
  const newer = isNew
    ? [{ label: 'New revision', revision, note: errors.note ?? 'not compared with the account yet' }]
    : [];
  if (observed !== undefined && isSame(observed, applied) && (isNew || !hasErrors))
    return [...newer, { label: 'Observed and applied revision', revision: observed }];
  return [
    ...newer,
    { label: 'Observed revision', ...known(observed), ...(isNew ? {} : errors) },
    { label: 'Applied revision', ...known(applied) },
  ];
}

function isSame(one: NamedRevision, other: NamedRevision | undefined): boolean {
  return one.content === other?.content && one.commit === other.commit;
}

function known<R>(revision: R | undefined): { readonly revision?: R } {
  return revision === undefined ? {} : { revision };
}
