import { counted } from '../../diagnostics/counted.ts';
import type { ChangeOutcome } from '../../model/outcome.ts';
import { actionWords } from '../plan/action-words.ts';
import { duplicateText } from '../plan/duplicate-text.ts';
import { fit } from '../text/fit.ts';
import { markdownCode, markdownText } from '../text/markdown-text.ts';
import { applySummary } from './apply-summary.ts';
import { endingWords } from './outcome-text.ts';
import { fewestBytes } from '../plan/plan-markdown.ts';
import { unresolvedMarkdown } from '../plan/unresolved/unresolved-markdown.ts';
import type { ApplyResult } from '../formats/format.ts';

/** How an outcome is to be shown in a comment. */
export interface OutcomeMarkdownOptions extends ApplyResult {
  readonly maxBytes: number;
}

// Room for what is omitted.
const roomForLeft = 200;

/** The outcome of an apply, for a comment: incomplete changes first, then completed ones, within the size limit. */
export function outcomeMarkdown({ plan, outcome, exitCode, maxBytes }: OutcomeMarkdownOptions): string {
  const head = `### sluice apply of ${markdownCode(plan.stack.name)}\n\n**${applySummary({ plan, outcome })}**\n\n`;
  const foot = `Exit code ${String(exitCode)}.\n`;
  const { stateError } = outcome ?? {};
  const warning =
    stateError === undefined ? '' : `State not saved: ${markdownText(`${stateError.message}; ${stateError.hint}`)}\n\n`;
  const isOpen = ({ ending }: ChangeOutcome): boolean => ending !== 'done';
  const changes = outcome?.changes ?? [];
  const rows =
    outcome === undefined
      ? plan.changes.flatMap((change) =>
          change.blocked === undefined ? [] : [row(change, 'refused', markdownText(change.blocked.message))],
        )
      : [...changes.filter(isOpen), ...changes.filter((change) => !isOpen(change))].map((change) =>
          row(change, endingWords[change.ending], detailOf(change)),
        );
  const section = {
    head: '| Change | Resource | Outcome | Why |\n| --- | --- | --- | --- |\n',
    pieces: rows,
    foot: '\n',
  };
  const room = Math.max(fewestBytes, maxBytes) - Buffer.byteLength(head + warning + foot) - roomForLeft;
  const lost = outcome?.unresolved ?? plan.unresolved;
  const twice = (outcome?.duplicates ?? []).map(
    (one) => `**Duplicate** ${markdownCode(one.address)}: ${markdownText(duplicateText(one))}\n\n`,
  );
  const first = [unresolvedMarkdown(lost), { head: '', pieces: twice, foot: '' }];
  const [unresolved, duplicates, fitted] = fit([...first, section], room);
  const { pieces = [], left = 0 } = fitted ?? {};
  const table = pieces.length === 0 ? '' : `${section.head}${pieces.join('')}${section.foot}`;
  const missing = left === 0 ? '' : `_${counted(left, 'more change')} omitted (size limit)._\n\n`;
  return `${head}${warning}${unresolved?.pieces.join('') ?? ''}${duplicates?.pieces.join('') ?? ''}${table}${missing}${foot}`;
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
