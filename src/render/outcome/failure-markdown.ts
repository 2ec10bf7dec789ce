import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { InvalidInput, SluiceError, Stale } from '../../diagnostics/errors.ts';
import { diagnosticMarkdown } from '../diagnostics/diagnostic-markdown.ts';
import { differenceTexts } from '../plan/differences-text.ts';
import { fit } from '../text/fit.ts';
import { markdownFence, markdownText } from '../text/markdown-text.ts';
import { platforms, type PlatformName } from '../text/platform.ts';

// Room for what is omitted.
const roomForLeft = 200;

/** An error that ended a command, for a comment: errors first, within the size limit. */
export function failureMarkdown(
  error: unknown,
  platform: PlatformName,
  maxBytes = platforms[platform].maxBytes,
): string {
  const diagnostics = error instanceof InvalidInput ? error.diagnostics : [];
  const head = `### sluice failed\n\n${diagnostics.length > 0 ? '' : `${reasonOf(error)}\n\n`}`;
  const rank = ({ severity }: Diagnostic): number => ['error', 'warning', 'note'].indexOf(severity);
  const details = error instanceof SluiceError ? error.details.map((detail) => `- ${markdownText(detail)}\n`) : [];
  const pieces =
    error instanceof Stale
      ? differenceTexts(error.differences).map((text) => `${markdownFence('', text.trimEnd().split('\n'))}\n`)
      : diagnostics
          .toSorted((a, b) => rank(a) - rank(b))
          .map((diagnostic) => diagnosticMarkdown(diagnostic, undefined, platform))
          .concat(details);
  const room = maxBytes - Buffer.byteLength(head) - roomForLeft;
  const [fitted] = fit([{ head: '', pieces, foot: '\n' }], room);
  const { pieces: kept = [], left = 0 } = fitted ?? {};
  const missing = left === 0 ? '' : `_${String(left)} more omitted (size limit)._\n`;
  return `${head}${kept.join('')}${missing === '' ? '' : `\n${missing}`}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof SluiceError)) return `Internal error in sluice: ${markdownText(String(error))}`;
  return [error.message, error.hint ?? []]
    .flat()
    .map((text) => markdownText(text))
    .join('; ');
}
