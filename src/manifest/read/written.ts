import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { Path } from '../../kinds/value.ts';
import type { SourceDocument } from './source-document.ts';

/** A value as a file holds it, before references and values from elsewhere are looked up. */
export type Written = null | boolean | number | string | readonly Written[] | WrittenObject;

/** A mapping as a file holds it; its keys are plain text and never `__proto__` or its like. */
export interface WrittenObject {
  readonly [key: string]: Written;
}

/** True for a mapping, as opposed to a scalar, a list, or nothing. */
export function isWrittenObject(value: unknown): value is WrittenObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys that no mapping may have: JavaScript would take them for more than names. */
export const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

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

/** The last edit of a field, or of something that it is in. */
export function lastEdit({ base, edits }: Origin, path: Path): Edit | undefined {
  const whole = [...base, ...path];
  return edits.findLast((edit) => edit.path.every((step, index) => whole[index] === step));
}

/** The origin of something inside. */
export function inside(origin: Origin, ...path: Path): Origin {
  const { document, base, edits } = origin;
  return { document, base: base.concat(path), edits };
}
