import { Composer, Parser, type Document } from 'yaml';
import type { SourceDocument } from './source-document.ts';

/** A document as nodes with positions, which count from where the composed text begins. */
export type YamlTree = Document.Parsed;

/** How YAML is read: 1.2, no merge keys, no tags; repeated keys are looked for in `to-value.ts`, in linear time. */
export const treeOptions = {
  version: '1.2',
  schema: 'core',
  uniqueKeys: false,
  merge: false,
  resolveKnownTags: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/** Reads one document again, for positions. It was read before, so no limit can be met. */
export function parseTree({ file, start, end }: SourceDocument): YamlTree | undefined {
  const text = file.text.slice(start, end);
  return cheaply(() => [...new Composer(treeOptions).compose(new Parser().parse(text), true, text.length)])[0];
}

/** Runs without stack traces in errors: a hostile megabyte makes half a million, and each trace costs more than the parsing. */
export function cheaply<T>(work: () => T): T {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = before;
  }
}
