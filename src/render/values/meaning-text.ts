import { safeText } from '../../diagnostics/safe-text.ts';
import type { FieldFormat } from '../../kinds/kind.ts';
import { certificateText } from './certificate-text.ts';
import { samlLines } from './saml-lines.ts';
import { sshText } from './ssh-text.ts';
import { structureLines } from '../text/structure-lines.ts';

/** The meaning of a text in a known format, such as PEM, a line for each item in it; undefined if it cannot be parsed. */
export function meaningLines(text: string, format: FieldFormat): readonly string[] | undefined {
  if (format === 'pem') return pemLines(text);
  if (format === 'saml') return samlLines(text);
  if (format === 'policy') return structureLines(text);
  const key = format === 'ssh-public-key' ? sshText(text) : undefined;
  return key === undefined ? undefined : [key];
}

/** The same on one line. */
export function meaningText(text: string, format: FieldFormat): string | undefined {
  return format === 'policy' ? undefined : meaningLines(text, format)?.join('; ');
}

/** A line for each block of a PEM text; a private key is mentioned, never shown. */
function pemLines(text: string): readonly string[] | undefined {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,60})-----[^-]*-----END \1-----/g)];
  const lines = blocks.map(([block, label = '']) => {
    if (label.includes('PRIVATE KEY')) return '(a private key)';
    return certificateText(block) ?? safeText(label.toLowerCase());
  });
  if (lines.length > 0 && text.includes('CERTIFICATE')) return lines;
  return text.includes('PRIVATE KEY') ? ['(a private key)'] : undefined;
}
