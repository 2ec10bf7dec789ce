import { isReplacement } from '../../model/replacement.ts';
import type { Change, FieldChange } from '../../model/plan.ts';
import { instanceLines } from './instance-lines.ts';

/** Changes parted by who is behind them: what the manifests introduce, and what only puts back what others did. */
export interface PlanByCause {
  readonly introduced: readonly Change[];
  readonly putBack: readonly Change[];
  /** Addresses of which a part stands on either side. */
  readonly both: ReadonlySet<string>;
}

/** What heads the changes that put drift back. */
export const driftHeading = 'Drifted since the last apply: applying puts these back';

/** Parts the changes of a plan; those that change nothing are on neither side. */
export function splitByCause(changes: readonly Change[]): PlanByCause {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const [introduced, putBack]: [Change[], Change[]] = [[], []];
  const both = new Set<string>();
  for (const change of changes) {
    if (change.action === 'none') continue;
    if (isPutBack(change, byAddress)) putBack.push(change);
    else {
      const drifted = change.action === 'adopt' ? [] : change.fields.filter(isDrifted);
      introduced.push(drifted.length === 0 ? change : { ...change, fields: change.fields.filter(notDrifted) });
      if (drifted.length === 0) continue;
      both.add(change.address);
      putBack.push(partOf(change, drifted));
    }
  }
  return { introduced, putBack, both };
}

/** Whether anything of a resource is not as the last apply has left it, whatever becomes of that. */
export function hasDrifted({ fields, vanished, markerDrifted }: Change): boolean {
  return (
    vanished !== undefined ||
    markerDrifted === true ||
    fields.some(({ reason }) => reason === 'drifted' || reason === 'both')
  );
}

function isPutBack(change: Change, byAddress: ReadonlyMap<string, Change>): boolean {
  const { action, fields, movedFrom, vanished, markerOnly, markerDrifted, withParent } = change;
  if (action === 'create') return vanished !== undefined;
  if (movedFrom !== undefined) return false;
  const home = withParent === undefined || !isReplacement(change.action) ? undefined : byAddress.get(withParent);
  if (home !== undefined && fields.every(isDrifted)) return isPutBack(home, byAddress);
  if (action !== 'update' && !isReplacement(change.action)) return false;
  if (fields.length === 0) return markerOnly && markerDrifted === true;
  return fields.every(isDrifted) && (isReplacement(change.action) || instanceLines(change).length === 0);
}

/** The half of a change that puts back what drifted; the rest of it is told with the other half. */
function partOf(change: Change, fields: readonly FieldChange[]): Change {
  const { blocked: _, ...rest } = change;
  return { ...rest, fields, why: [], held: {} };
}

function isDrifted({ reason }: FieldChange): boolean {
  return reason === 'drifted';
}

function notDrifted(field: FieldChange): boolean {
  return !isDrifted(field);
}
