import { countEach } from '../../diagnostics/counted.ts';
import type { AccessComparison } from '../../model/exposure/access-comparison.ts';
import { groupBy } from '../../model/group-by.ts';
import { compareText } from '../../model/compare-text.ts';
import { hazardCodes, type Action, type Change, type Hazard } from '../../model/plan/plan.ts';
import type { ApprovalSummary, AwaitedApproval, PendingChange } from '../../model/status/watch-status.ts';
import { accessComparisonLines } from '../access/access-comparison-text.ts';
import { actionWords } from './action-words.ts';

const actions = Object.keys(actionWords) as readonly Action[];

/** How many changes by operation and kind, and how many hazards by code, a plan has. */
export function approvalSummary({
  changes,
  hazards,
}: {
  readonly changes: readonly Pick<Change, 'action' | 'kind'>[];
  readonly hazards: readonly Pick<Hazard, 'code'>[];
}): ApprovalSummary {
  const open = changes.filter(({ action }) => action !== 'none');
  const kinds = groupBy(open, ({ action, kind }) => `${action} ${kind}`);
  return {
    changes: [...kinds.values()]
      .flatMap((same) => same.slice(0, 1).map(({ action, kind }) => ({ action, kind, count: same.length })))
      .sort((a, b) => actions.indexOf(a.action) - actions.indexOf(b.action) || compareText(a.kind, b.kind)),
    hazards: countEach(hazardCodes, hazards, ({ code }) => code).map(([code, count]) => ({ code, count })),
  };
}

/** The summary by operation: `delete 200 HTTPSEdgeRoute, 104 ReservedAddr`. */
export function operationTexts({ changes }: ApprovalSummary): readonly string[] {
  const operations = groupBy(changes, ({ action }) => actionWords[action].toDo);
  return [...operations].map(([word, own]) => `${word} ${own.map(({ kind, count }) => `${count} ${kind}`).join(', ')}`);
}

/** The hazards by code: `104 LOSES_ADDRESS`. */
export function hazardTexts({ hazards }: ApprovalSummary): readonly string[] {
  return hazards.map(({ code, count }) => `${count} ${code}`);
}

// More are in status.json.
const mostFollowing = 10;

/** What follows automatically once the changes are approved and done: `delete CertificateAuthority/old`. */
function followingTexts(follows: AwaitedApproval['follows']): readonly string[] {
  const shown = follows.slice(0, mostFollowing).map(({ action, address }) => `${actionWords[action].toDo} ${address}`);
  return follows.length > mostFollowing ? [...shown, `${follows.length - mostFollowing} more`] : shown;
}

/** All of it in lines of text, for a terminal. */
export function approvalLines(
  summary: ApprovalSummary,
  follows: AwaitedApproval['follows'],
  access: AccessComparison | undefined,
): readonly string[] {
  const [hazards, following] = [hazardTexts(summary), followingTexts(follows)];
  return [
    `to approve: ${operationTexts(summary).join('; ')}`,
    ...(hazards.length === 0 ? [] : [`hazards: ${hazards.join(', ')}`]),
    ...(following.length === 0 ? [] : [`applied automatically after that: ${following.join(', ')}`]),
    ...(access === undefined ? [] : accessComparisonLines(access)),
  ];
}

// Of more changes there are the numbers; the page of the stack has each of them.
const mostWould = 2;

/** What an approval would do: `Approval would delete ReservedAddr/api (LOSES_ADDRESS: …)`; in numbers where these are many changes. */
export function wouldText({ summary }: AwaitedApproval, pending: readonly PendingChange[]): string {
  const changes = pending.filter(({ reason }) => reason === 'approval');
  if (changes.length > 0 && changes.length <= mostWould)
    return `Approval would ${changes.map(namedChange).join(', and ')}`;
  const hazards = hazardTexts(summary).join(', ');
  return `Approval would ${operationTexts(summary).join('; ')}${hazards === '' ? '' : ` (${hazards})`}`;
}

/** A change, and why it needs approval: `policy.max_deletes` with its limit, what is lost, whom it lets in. */
function namedChange({ action, address, message, hazards }: PendingChange): string {
  const why = hazards.length === 0 ? message : hazards.map((one) => `${one.code}: ${one.message}`).join('; ');
  return `${actionWords[action].toDo} ${address}${why === '' ? '' : ` (${why})`}`;
}
