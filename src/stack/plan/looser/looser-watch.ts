import type { RunRecord } from '../../../state/run-record.ts';

/** What `sluice.yaml` lets a watch apply without approval. */
export type WatchRules = NonNullable<NonNullable<RunRecord['rules']>['watch']>;

const flags = ['apply_on_change', 'heal_drift', 'prune', 'renew'] as const;

/** What a watch may apply without approval now, and not before. */
export function looserWatch(before: WatchRules, now: WatchRules): string[] {
  const reverts = ({ kinds, heal_drift: all }: WatchRules, kind: string): boolean =>
    (kinds[kind] ?? (all ? 'heal' : '')) === 'heal';
  // Where all drift is reverted now, one line says so for all kinds that follow it.
  const isOwn = (kind: string): boolean => before.heal_drift || !now.heal_drift || Object.hasOwn(now.kinds, kind);
  const kinds = [...new Set([...Object.keys(before.kinds), ...Object.keys(now.kinds)])].sort();
  return [
    ...flags.filter((name) => now[name] && !before[name]).map((name) => `\`watch.${name}\` is true (was false)`),
    ...kinds
      .filter((kind) => reverts(now, kind) && !reverts(before, kind) && isOwn(kind))
      .map((kind) => `\`watch\` now reverts drift of ${kind}`),
  ];
}

/** The part of the settings of a watch that a record keeps. */
export function watchRules({ apply_on_change, heal_drift, prune, renew, kinds }: WatchRules): WatchRules {
  return { apply_on_change, heal_drift, prune, renew, kinds };
}
