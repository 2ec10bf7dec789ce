import type { CodeMeaning } from '../../diagnostics/code-meaning.ts';
import { codes } from '../../diagnostics/codes.ts';
import { failures } from '../../diagnostics/failure-codes.ts';
import { withRemedies } from '../../diagnostics/remedies.ts';
import { blockedMeanings } from '../../model/plan/blocked-meanings.ts';
import { hazardMeanings } from '../../model/plan/hazard-meanings.ts';
import { wrap } from '../../render/text/wrap.ts';
import { suggestAddress } from '../../stack/address-suggestion.ts';
import { UsageError } from '../../stack/usage-error.ts';
import type { Context } from '../context.ts';
import { doneWith } from '../output/done-with.ts';

// Every code, with what it means and what to do about it.
const explained = new Map<string, CodeMeaning>([
  ...withRemedies(failures),
  ...Object.entries(blockedMeanings),
  ...Object.entries(hazardMeanings),
  ...withRemedies(codes),
]);

/** Whether a word is a code or has the form of one, such as OPENS_ACCESS. */
export function isCode(word: string): boolean {
  return explained.has(word) || /^[A-Z]+(_[A-Z]+)+$/.test(word);
}

/** Explains what a code means, of a hazard, a blocked change, a diagnostic or an error, and what to do about it. */
export function explainCode(context: Context, code: string): number {
  const found = explained.get(code);
  if (found === undefined)
    throw new UsageError(
      `unknown code "${code}"`,
      suggestAddress(code, [...explained.keys()]) ?? 'run `sluice explain` to list what can be explained',
    );
  const { meaning, remedy } = found;
  const doc = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
  const { palette, width = 100 } = context.layout;
  return doneWith(context, `${palette.strong(code)}\n${wrap(`  ${doc}`, width, 2)}\n\nWhat to do:\n${wrap(`  ${remedy}`, width, 2)}\n`, { name: code, doc, remedy });
}
