import { counted } from '../../diagnostics/counted.ts';
import { severities, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { InvalidInput, SluiceError, Stale } from '../../diagnostics/errors.ts';
import { diagnosticMarkdown } from '../diagnostics/diagnostic-markdown.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { PlanDetail } from '../../model/plan/plan-detail.ts';
import { differenceTexts } from '../plan/differences-text.ts';
import { fit } from '../text/fit.ts';
import { markdownCode, markdownFence, markdownText } from '../text/markdown-text.ts';
import { platforms, type PlatformName } from '../text/platform.ts';

// Room for what is omitted.
const roomForLeft = 200;

// Codes that are named; there are more only in a file that somebody made up.
const mostCodes = 20;

/** An error that ended a command, for a comment: errors first, within the size limit; by codes alone where it shows only counts. */
export function failureMarkdown(
  error: unknown,
  platform: PlatformName,
  {
    maxBytes = platforms[platform].maxBytes,
    detail,
  }: { readonly maxBytes?: number; readonly detail?: PlanDetail } = {},
): string {
  const diagnostics = error instanceof InvalidInput ? error.diagnostics : [];
  if (detail === 'counts') return `### sluice failed\n\n${codesOf(error, diagnostics)}\n`;
  const head = `### sluice failed\n\n${diagnostics.length > 0 ? '' : `${reasonOf(error)}\n\n`}`;
  const rank = ({ severity }: Diagnostic): number => severities.indexOf(severity);
  const details = error instanceof SluiceError ? error.details.map((detail) => `- ${markdownText(detail)}\n`) : [];
  const pieces =
    error instanceof Stale
      ? differenceTexts(error.differences).map((text) => `${markdownFence('', text.trimEnd().split('\n'))}\n`)
      : diagnostics
          .toSorted((a, b) => rank(a) - rank(b))
          .map((diagnostic) => diagnosticMarkdown(diagnostic, undefined, platform))
          .concat(details);
  const room = maxBytes - Buffer.byteLength(head) - roomForLeft;
  const [fitted] = fit([{ pieces }], room);
  const { pieces: kept = [], left = 0 } = fitted ?? {};
  const missing = left === 0 ? '' : `_${counted(left, 'more message')} omitted (size limit)._\n`;
  return `${head}${kept.join('')}${missing === '' ? '' : `\n${missing}`}`;
}

function codesOf(error: unknown, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  const codes = errors.length > 0 ? errors : error instanceof SluiceError ? [error.code] : [];
  const named = [...new Set(codes)]
    .slice(0, mostCodes)
    .map((code) => markdownCode(safeText(code, 60)))
    .join(', ');
  const count = Math.max(codes.length, 1);
  return `${counted(count, 'error')}${named === '' ? '' : `: ${named}`}. See the log of the pipeline.`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof SluiceError)) return `Internal error in sluice: ${markdownText(String(error))}`;
  return [error.message, error.hint ?? []]
    .flat()
    .map((text) => markdownText(text))
    .join('; ');
}
