import { codes, type Code } from '../../diagnostics/codes.ts';
import { remedies } from '../../diagnostics/remedies.ts';
import { hazardMeanings } from '../../model/hazard-meanings.ts';
import type { Hazard } from '../../model/plan.ts';
import { wrap } from '../../render/text/wrap.ts';
import { suggestAddress } from '../../stack/address-suggestion.ts';
import { UsageError } from '../../stack/usage-error.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';

/** Whether a word has the form of a code, such as OPENS_ACCESS. */
export function isCode(word: string): boolean {
  return /^[A-Z]+(_[A-Z]+)+$/.test(word);
}

/** Says what a hazard or the code of a diagnostic means, and what to do about it. */
export function explainCode(context: Context, code: string): number {
  const all = [...Object.keys(hazardMeanings), ...Object.keys(codes)];
  if (!all.includes(code))
    throw new UsageError(
      `unknown code "${code}"`,
      suggestAddress(code, all) ?? 'the hint beside a message says what to do about it',
    );
  const { meaning, remedy } =
    code in hazardMeanings
      ? hazardMeanings[code as Hazard['code']]
      : { meaning: codes[code as Code], remedy: remedies[code as Code] };
  const doc = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
  const { palette, width = 100 } = context.layout;
  context.result(
    () => `${palette.strong(code)}\n${wrap(`  ${doc}`, width, 2)}\n\nWhat to do:\n${wrap(`  ${remedy}`, width, 2)}\n`,
    () => ({ format_version: '1.0', name: code, doc, remedy }),
  );
  return exitCodes.done;
}
