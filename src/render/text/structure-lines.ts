import { parseDocument } from 'yaml';
import { isTooDeep } from '../../kinds/nesting.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { sortedJson } from '../../derive/sorted-json.ts';
import { jsonObject } from '../../derive/marker.ts';
import { yamlText } from './yaml-text.ts';

// Longer than anyone writes or reads; finding out what it holds could take seconds.
const longest = 100_000;

/** The JSON or YAML of a text, written in one way whatever it was written in, a line each; undefined for what is no mapping or list. */
export function structureLines(text: string): readonly string[] | undefined {
  if (text.length > longest || isTooDeep(text)) return undefined;
  const value = jsonObject(text) ?? fromYaml(text);
  if (typeof value !== 'object' || value === null) return undefined;
  return yamlText(JSON.parse(sortedJson(value)) as unknown)
    .trimEnd()
    .split('\n')
    .map((line) => safeText(line));
}

function fromYaml(text: string): unknown {
  try {
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 50 });
  } catch {
    return undefined;
  }
}
