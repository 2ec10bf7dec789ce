import { parseDocuments, type ParsedDocument } from './parse-documents.ts';
import type { SourceFile } from './source-document.ts';

/** Answers what a file holds, document by document. */
export type ParseFile = (file: SourceFile) => Iterable<ParsedDocument>;

/** What files held when they were read last. */
export interface KeptDocuments {
  /** Begins another reading of all of them; what it does not come across is forgotten. */
  readonly nextReading: () => ParseFile;
}

/** For whoever reads the same files again and again: each reading parses only those that are not as they were in the one before. */
export function keptDocuments(): KeptDocuments {
  let kept = new Map<string, { readonly file: SourceFile; readonly documents: ParsedDocument[] }>();
  return {
    nextReading: () => {
      const [before, now] = [kept, new Map() as typeof kept];
      kept = now;
      return function* (file) {
        const known = before.get(file.name);
        // Where a file lies decides what its values from other files are.
        const isSame = known?.file.path === file.path && known?.file.text === file.text;
        const documents = isSame ? known.documents : [];
        if (isSame) yield* documents;
        else
          for (const document of parseDocuments(file)) {
            documents.push(document);
            yield document;
          }
        now.set(file.name, { file, documents });
      };
    },
  };
}
