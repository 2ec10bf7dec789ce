import { readSafely } from '../files/safe-file.ts';

/** The text of a file with a credential, which somebody renews; as it was while the file is absent or empty. */
export function renewedText(file: string | undefined, before: string): string {
  const read = file === undefined ? undefined : readSafely(file);
  return (read !== undefined && 'text' in read ? read.text.trim() : '') || before;
}
