import type { Plan } from '../../model/plan/plan.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { durationShort, momentText } from '../text/ages.ts';

/** What a plan from a snapshot was made from, how old that is, and what it does not show; empty for other plans. */
export function snapshotLine({ snapshot, now }: Plan): string {
  if (snapshot === undefined) return '';
  const { takenAt, revision } = snapshot;
  const taken = Date.parse(takenAt);
  const age = now === undefined ? '' : `, ${durationShort(now - taken)} old`;
  const commit = revision === undefined ? '' : `, commit ${safeText(revision.slice(0, 12))}`;
  return `Planned from a snapshot of ${momentText(taken)}${age}${commit}: secrets, and values from the environment or files, are not compared.`;
}
