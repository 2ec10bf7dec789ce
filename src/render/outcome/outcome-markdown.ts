import type { ChangeOutcome } from '../../model/outcome.ts';
import { actionWords } from '../plan/action-words.ts';
import { fittedPage, omitted, type Section } from '../text/fit.ts';
import { markdownCode, markdownText } from '../text/markdown-text.ts';
import { applySummary, duplicateText, endingText } from './outcome-text.ts';
import { fewestBytes } from '../plan/plan-markdown.ts';
import { unresolvedMarkdown } from '../plan/unresolved-creations.ts';
import type { ApplyResult } from '../formats/format.ts';

/** The outcome of an apply, for a comment: incomplete changes first, then completed ones, within the size limit. */
export function outcomeMarkdown({ plan, outcome, exitCode }: ApplyResult, maxBytes: number): string {
  const { stateError } = outcome ?? {};
  const warning =
    stateError === undefined ? '' : `State not saved: ${markdownText(`${stateError.message}; ${stateError.hint}`)}\n\n`;
  const head = `### sluice apply of ${markdownCode(plan.stack.name)}\n\n**${applySummary({ plan, outcome })}**\n\n${warning}`;
  const isDone = ({ ending }: ChangeOutcome): number => Number(ending === 'done');
  const refused = plan.changes.flatMap((change) =>
    change.blocked === undefined ? [] : [row(change, 'refused', markdownText(change.blocked.message))],
  );
  const rows = outcome?.changes
    .toSorted((a, b) => isDone(a) - isDone(b))
    .map((change) => row(change, endingText(change.ending), detailOf(change)));
  const twice = (outcome?.duplicates ?? []).map(
    (one) => `**Duplicate** ${markdownCode(one.address)}: ${markdownText(duplicateText(one))}\n\n`,
  );
  const sections: readonly Section[] = [
    unresolvedMarkdown(outcome?.unresolved ?? plan.unresolved),
    { pieces: twice, foot: '', omission: (left) => `${omitted(left, 'duplicate')}.` },
    {
      head: '| Change | Resource | Outcome | Why |\n| --- | --- | --- | --- |\n',
      pieces: rows ?? refused,
      omission: (left) => `${omitted(left, 'more change')}.`,
    },
  ];
  return fittedPage({ head, sections, foot: `Exit code ${exitCode}.\n` }, Math.max(fewestBytes, maxBytes));
}

function row({ action, address }: Pick<ChangeOutcome, 'action' | 'address'>, word: string, note: string): string {
  const { symbol, toDo } = actionWords[action];
  return `| ${markdownCode(symbol)} ${toDo} | ${markdownCode(address)} | ${word} | ${note} |\n`;
}

function detailOf({ message, failedDependency }: ChangeOutcome): string {
  return [
    ...(failedDependency === undefined ? [] : [`depends on ${markdownCode(failedDependency)}, which did not complete`]),
    ...(message === undefined ? [] : [markdownText(message)]),
  ].join('; ');
}
