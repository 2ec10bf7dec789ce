import { createHash, X509Certificate } from 'node:crypto';
import { safeText } from '../diagnostics/safe-text.ts';
import type { Format } from '../kinds/kind.ts';
import { parseSshPublicKey } from '../kinds/ssh-public-key.ts';

/** What a text of a format means, where that tells more than its characters; undefined for what cannot be read so. */
export function meaningText(text: string, format: Format): string | undefined {
  if (format === 'pem') return certificateText(text);
  return format === 'ssh-public-key' ? keyText(text) : undefined;
}

/** Subject, end of validity, fingerprint. */
function certificateText(pem: string): string | undefined {
  try {
    const certificate = new X509Certificate(pem);
    const subject = safeText(certificate.subject.replaceAll('\n', ', '));
    const until = new Date(certificate.validTo).toISOString().slice(0, 10);
    const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase().slice(0, 16);
    return `certificate of ${subject}, until ${until}, sha256 ${fingerprint}`;
  } catch {
    return undefined;
  }
}

/** Type, fingerprint as ssh-keygen shows it, comment. */
function keyText(line: string): string | undefined {
  const key = parseSshPublicKey(line);
  if (key === undefined) return undefined;
  const fingerprint = createHash('sha256').update(key.blob).digest('base64').replace(/=+$/, '');
  return `${key.type} SHA256:${fingerprint}${key.comment === '' ? '' : ` ${safeText(key.comment)}`}`;
}
