import type { AwaitedApproval, PendingChange } from '../../../model/watch-status.ts';
import { actionWords } from '../../plan/action-words.ts';
import { hazardTexts, operationTexts } from '../../plan/approval-summary.ts';

// Of more changes there are the numbers; the page of the stack has each of them.
const mostNamed = 2;

/** What an approval would do: `Approval would delete ReservedAddr/api (LOSES_ADDRESS: …)`; in numbers where these are many changes. */
export function wouldText({ summary }: AwaitedApproval, pending: readonly PendingChange[]): string {
  const changes = pending.filter(({ reason }) => reason === 'approval');
  if (changes.length > 0 && changes.length <= mostNamed)
    return `Approval would ${changes.map(namedChange).join(', and ')}`;
  const hazards = hazardTexts(summary).join(', ');
  return `Approval would ${operationTexts(summary).join('; ')}${hazards === '' ? '' : ` (${hazards})`}`;
}

/** A change, and why it needs approval: `policy.max_deletes` with its limit, what is lost, whom it lets in. */
function namedChange({ action, address, message, hazards }: PendingChange): string {
  const why = hazards.length === 0 ? message : hazards.map((one) => `${one.code}: ${one.message}`).join('; ');
  return `${actionWords[action].toDo} ${address}${why === '' ? '' : ` (${why})`}`;
}
