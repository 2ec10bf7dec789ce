/** What watch may apply without approval. */
export interface SyncSettings {
  readonly applyOnChange: boolean;
  readonly healDrift: boolean;
  /** `forbidden`: the operator does not allow it. */
  readonly prune: boolean | 'forbidden';
  readonly renew: boolean;
  /** Drift of one kind, in place of `healDrift`. */
  readonly kinds: Readonly<Record<string, 'report' | 'heal'>>;
}

/** Whether drift of a kind is repaired. */
export function repairsDrift({ kinds, healDrift }: SyncSettings, kind: string): boolean {
  return Object.hasOwn(kinds, kind) ? kinds[kind] === 'heal' : healDrift;
}
