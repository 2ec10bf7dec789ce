import { safeText } from '../diagnostics/safe-text.ts';
import { readSafely } from '../files/safe-file.ts';

/** The text of a file with a credential, which somebody renews; as it was while the file is absent or empty. */
export function renewedText(file: string | undefined, before: string): string {
  const read = file === undefined ? undefined : readSafely(file);
  return (read !== undefined && 'text' in read ? read.text.trim() : '') || before;
}

/** Why a file has no credential, so that the one of before is still used; undefined where it has one. */
export function missingText(file: string | undefined): string | undefined {
  const read = file === undefined ? undefined : readSafely(file);
  if (file === undefined || read === undefined || ('text' in read && read.text.trim() !== '')) return undefined;
  return `the credential file ${safeText(file, 200)} ${'text' in read ? 'is empty' : read.message}`;
}
