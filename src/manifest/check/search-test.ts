import { oncePer } from '../../kinds/once-per.ts';
import type { SourceDocument, SourceFile } from '../read/source-document.ts';
import { isLongKey } from './own-credentials.ts';

/** Tells of a document whether it may contain a key of the API or a variable. Where the plain reader has read a file, no document contains what the text of the file does not: that is searched once, and not each value. */
export function searchTest(apiKeys: readonly string[]): (document: SourceDocument) => boolean {
  const keys = apiKeys.filter((key) => key !== '');
  // A single quote is written twice between others, and a text of several lines is indented.
  const isVerbatim = keys.every((key) => !/['\n]/.test(key));
  const wanted = [
    { text: 'var', pattern: /\bvar:/ },
    { text: 'template', pattern: /\btemplate:/ },
    ...keys.map((key) => ({ text: key, pattern: patternOf(key) })),
  ];
  const mayContain = oncePer(new WeakMap<SourceFile, boolean>(), (file) =>
    wanted.some(({ text, pattern }) => file.text.includes(text) && pattern.test(file.text)),
  );
  return ({ file, isPlain }) => !isPlain || !isVerbatim || mayContain(file);
}

/** A short key counts as a whole value only: then no letter, digit or underscore is beside it. */
function patternOf(key: string): RegExp {
  const escaped = key.replaceAll(/\W/g, String.raw`\$&`);
  return new RegExp(isLongKey(key) ? escaped : String.raw`(?<!\w)${escaped}(?!\w)`);
}
