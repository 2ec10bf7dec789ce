interface NamedRevision {
  readonly content: string;
  readonly commit?: string | undefined;
}

/** A revision with what it is to the stack. */
export interface RevisionFact<R> {
  readonly label: string;
  /** Absent: none yet. */
  readonly revision?: R | undefined;
  /** What is wrong with it, or still to come. */
  readonly note?: string | undefined;
}

/** The revision that the account was last compared with, the one that is applied, and a newer one; what is the same is named once. */
export function revisionFacts<R extends NamedRevision>({
  revision,
  lastGood,
  observed,
  applied,
}: Partial<Record<'revision' | 'lastGood' | 'observed' | 'applied', R | undefined>>): readonly RevisionFact<R>[] {
  const hasErrors = revision !== undefined && lastGood !== undefined && lastGood.content !== revision.content;
  const errors = hasErrors ? 'with errors in the manifests' : undefined;
  const isNew = revision !== undefined && !isSame(revision, observed);
  const note = errors ?? 'not compared with the account yet';
  const newer = isNew ? [{ label: 'New revision', revision, note }] : [];
  if (observed !== undefined && isSame(observed, applied) && (isNew || !hasErrors))
    return [...newer, { label: 'Observed and applied revision', revision: observed }];
  return [
    ...newer,
    { label: 'Observed revision', revision: observed, note: isNew ? undefined : errors },
    { label: 'Applied revision', revision: applied },
  ];
}

function isSame(one: NamedRevision, other: NamedRevision | undefined): boolean {
  return one.content === other?.content && one.commit === other.commit;
}
