import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { Path } from '../../kinds/value.ts';
import type { SourceDocument } from './source-document.ts';

/** Where a part of a manifest was written: a document, and a path in it. */
export interface Origin {
  readonly document: SourceDocument;
  readonly base: Path;
  /** What patches wrote over it, by path in the document as it stands after them. */
  readonly edits: readonly Edit[];
}

/** A part of a manifest that a patch has changed, and where the patch was written, if that is known and all of it is the patch's. */
export interface Edit {
  readonly path: Path;
  readonly place?: SourceLocation;
}

/** The origin of something inside. */
export function inside(origin: Origin, ...path: Path): Origin {
  return { ...origin, base: origin.base.concat(path) };
}
