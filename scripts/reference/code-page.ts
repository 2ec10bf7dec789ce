import { codes } from '../../src/diagnostics/codes.ts';
import { failures } from '../../src/diagnostics/failure-codes.ts';
import { code, page, table } from './markdown.ts';
import { withRemedies, type CodeMeaning } from '../../src/diagnostics/remedies.ts';
import { blockedMeanings } from '../../src/model/plan/blocked-meanings.ts';

/** Every code that a diagnostic or an error has, with what to do. */
export function codePage(): string {
  return page(
    'Codes',
    'Codes are stable: search for them, and let programs decide by them. `sluice explain CODE` prints the row of one. The codes of hazards are in [Plans](../plans.md#hazards).',
    `## Diagnostics\n\nProblems of manifests, settings and the account. All are reported at once, with the line.\n\n${tableOf(withRemedies(codes))}`,
    `## Blocked changes\n\nWhy \`apply\` refuses a change of a plan.\n\n${tableOf(Object.entries(blockedMeanings))}`,
    `## Errors\n\nWhat ends a command, or fails within one.\n\n${tableOf(withRemedies(failures))}`,
  );
}

function tableOf(meanings: readonly (readonly [string, CodeMeaning])[]): string {
  const rows = meanings
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { meaning, remedy }]) => [code(name), meaning, remedy]);
  return table(['Code', 'Meaning', 'What to do'], rows);
}
