import { counted } from '../../diagnostics/counted.ts';
import { kinds } from '../../kinds/index.ts';
import type { OutputTarget } from '../formats/format.ts';
import { failureMarkdown } from '../outcome/failure-markdown.ts';
import { outcomeMarkdown } from '../outcome/outcome-markdown.ts';
import { fewestBytes, planMarkdown } from '../plan/plan-markdown.ts';
import { fittedPage, omitted } from '../text/fit.ts';
import { markdownCode, markdownText } from '../text/markdown-text.ts';
import { stacksTotal, stackSummary } from './stacks-text.ts';
import { stackStatus, stackStatuses, type StackResult, type StacksResult } from './stacks-result.ts';

// Room for what is omitted of the sections.
const roomForLeft = 200;

/** The results of several stacks, for a comment: a table of all, then those with something to read, failed ones first. */
export function stacksMarkdown({ command, stacks }: StacksResult, { platform, maxBytes }: OutputTarget): string {
  const sorted = stacks.toSorted((a, b) => rank(a) - rank(b));
  const head = `## sluice ${command}: ${stacksTotal(stacks).slice(0, -1)}\n\n`;
  const rows = sorted.map((result) => `| ${markdownCode(result.stack)} | ${markdownText(stackSummary(result))} |\n`);
  const table = {
    head: '| Stack | Result |\n| --- | --- |\n',
    pieces: rows,
    omission: (left: number) => `${omitted(left, 'stack')}.`,
  };
  const listed = fittedPage({ head, sections: [table] }, maxBytes);
  return `${listed}${sections(sorted, maxBytes - Buffer.byteLength(listed) - roomForLeft)}`;

  /** Each with an equal share of the room that those before it have left. */
  function sections(results: readonly StackResult[], bytes: number): string {
    const readable = results.filter(hasDetails);
    let room = bytes;
    let left = 0;
    const texts = readable.map((result, index) => {
      const heading = `## ${markdownCode(result.stack)}\n\n`;
      const share = Math.floor(room / (readable.length - index)) - Buffer.byteLength(heading) - 1;
      // A plan needs a minimum of room to be useful; the table lists the stack in any case.
      const text = room < fewestBytes ? '' : `${heading}${details(result, Math.max(share, fewestBytes))}\n`;
      if (text === '' || Buffer.byteLength(text) > room) {
        left += 1;
        return '';
      }
      room -= Buffer.byteLength(text);
      return text;
    });
    const note = left === 0 ? '' : `_The details of ${counted(left, 'stack')} are omitted (size limit)._\n`;
    return `${texts.join('')}${note}`;
  }

  function details({ planned, applied, failure }: StackResult, share: number): string {
    if (failure !== undefined) return failureMarkdown(failure.error, platform, { maxBytes: share });
    if (applied !== undefined) return outcomeMarkdown(applied, share);
    if (planned === undefined) return '';
    const { plan, ...result } = planned.result;
    return planMarkdown(plan, { kinds, ...result, ...planned.target, maxBytes: share });
  }
}

function hasDetails(result: StackResult): boolean {
  const { planned, applied, failure } = result;
  return (planned ?? applied ?? failure) !== undefined && stackStatus(result) !== 'unchanged';
}

function rank(result: StackResult): number {
  return stackStatuses.indexOf(stackStatus(result));
}
