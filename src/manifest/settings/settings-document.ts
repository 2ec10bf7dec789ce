import { safeText } from '../../diagnostics/safe-text.ts';
import { readSafely } from '../../files/safe-file.ts';
import type { Problems } from '../check/problems.ts';
import type { Origin } from '../read/origin.ts';
import { parseDocuments } from '../read/parse-documents.ts';
import { SourceFile } from '../read/source-document.ts';
import type { Written } from '../read/written.ts';

/** One document of a settings file: its values, with their positions. */
export interface SettingsDocument {
  readonly value: Written;
  readonly origin: Origin;
}

/** A file of settings. */
export interface SettingsSource {
  /** How it is shown. */
  readonly name: string;
  readonly path: string;
  /** How messages name it: `the file`, unless it has a name of its own. */
  readonly title?: string;
}

/** The document of a file that must contain exactly one; an empty file has no settings. What is wrong is reported. */
export function onlyDocument(source: SettingsSource, problems: Problems): SettingsDocument | undefined {
  const before = problems.all().length;
  const [first, second] = settingsDocuments(source, problems);
  if (problems.all().length > before) return undefined;
  if (second !== undefined)
    problems.at(second.origin, [], {
      code: 'INVALID_SETTING',
      message: `${source.title ?? safeText(source.name, 200)} must contain exactly one document`,
    });
  if (first !== undefined) return first;
  const file = new SourceFile(source.name, '', source.path);
  return { value: {}, origin: originOf({ file, start: 0, end: 0, starts: new WeakMap() }) };
}

/** The documents of a file of settings; what cannot be read is reported. */
export function settingsDocuments(
  { name, path, title = 'the file' }: SettingsSource,
  problems: Problems,
): readonly SettingsDocument[] {
  const read = readSafely(path);
  if ('code' in read) {
    const place = { file: name, line: 1, col: 1 };
    problems.add({ ...read, severity: 'error', message: `${title} ${read.message}`, place });
    return [];
  }
  const parsed = [...parseDocuments(new SourceFile(name, read.text, path))];
  for (const one of parsed) for (const problem of one.problems) problems.inText(one, problem);
  return parsed.flatMap(({ document, value = {}, problems: wrong }) =>
    wrong.length > 0 ? [] : [{ value, origin: originOf(document) }],
  );
}

function originOf(document: Origin['document']): Origin {
  return { document, base: [], edits: [] };
}
