import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { markdownCode, markdownText } from '../text/markdown-text.ts';
import { sourceLink, type PlatformName, type Repository } from '../text/platform.ts';

/** A diagnostic as an entry of a list: where, what, and what to do. */
export function diagnosticMarkdown(
  { severity, code, address, message, hint, place }: Diagnostic,
  repository: Repository | undefined,
  platform: PlatformName,
): string {
  const where = [
    ...(place === undefined ? [] : [sourceLink(place, repository, platform)]),
    ...(address === undefined ? [] : [markdownCode(address)]),
  ].join(' ');
  const hintText = hint === undefined ? '' : `; ${markdownText(hint)}`;
  return `- ${severity} ${markdownCode(code)} ${where}${where === '' ? '' : ': '}${markdownText(message)}${hintText}\n`;
}
