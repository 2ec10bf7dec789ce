import { oncePer } from '../../kinds/once-per.ts';
import type { SourceDocument, SourceFile } from '../read/source-document.ts';

/** Tells of a document whether it may contain a key of the API or a variable. Where the plain reader has read a file, no document contains what the text of the file does not: that is searched once, and not each value. */
export function searchTest(apiKeys: readonly string[]): (document: SourceDocument) => boolean {
  const keys = apiKeys.filter((key) => key !== '');
  // A single quote is written twice between others, and a text of several lines is indented.
  const isVerbatim = keys.every((key) => !/['\n]/.test(key));
  const wanted = ['var', 'template', ...keys];
  const mayContain = oncePer(new WeakMap<SourceFile, boolean>(), ({ text }) =>
    wanted.some((word) => text.includes(word)),
  );
  return ({ file, isPlain }) => !isPlain || !isVerbatim || mayContain(file);
}
