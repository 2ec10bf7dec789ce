import type { PlanDifference } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { byAddress } from '../../model/group-by.ts';
import { shortHash } from '../values/value-text.ts';
import { listSome } from '../../plan/warnings/list-some.ts';

/** The differences between a plan and the approved one: a text for each resource, with a line for each difference. */
export function differenceTexts(differences: readonly PlanDifference[]): string[] {
  const all = [...byAddress(differences)];
  const done = all.flatMap(([address, own]) => (isDone(own) ? [safeText(address)] : []));
  return [
    ...(done.length === 0 ? [] : [doneText(done)]),
    ...all.flatMap(([address, own]) => (isDone(own) ? [] : [resourceText(address, own)])),
  ];
}

/** Whether nothing of an approved change is left to do. */
function isDone(differences: readonly PlanDifference[]): boolean {
  return differences.some(({ what, now }) => what === 'action' && now === undefined);
}

function doneText(addresses: readonly string[]): string {
  const [were, need] = addresses.length === 1 ? ['was', 'needs'] : ['were', 'need'];
  return `${listSome(addresses)}: ${were} in the approved plan, but no longer ${need} a change\n`;
}

function resourceText(address: string, differences: readonly PlanDifference[]): string {
  const action = differences.find(({ what }) => what === 'action');
  const isNew = action !== undefined && action.approved === undefined;
  const lines = differences.map(({ what, approved, now }) => {
    const sides = isNew ? side(now) : `approved ${side(approved)}, now ${side(now)}`;
    return `    ${safeText(what)}: ${sides}\n`;
  });
  return `${safeText(address)}: ${isNew ? 'not in' : 'differs from'} the approved plan\n${lines.join('')}`;
}

const longest = 200;

/** One side of a difference; of a long one the beginning and a digest. */
function side(text: string | undefined): string {
  if (text === undefined) return 'none';
  if (text.length <= longest) return safeText(text);
  return `${safeText(text.slice(0, longest / 2))}… (${text.length} characters, sha256 ${shortHash(text)})`;
}
