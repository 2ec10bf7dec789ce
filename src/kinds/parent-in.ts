import type { Kind } from './kind.ts';
import { Ref, type SpecObject, type SpecValue } from './value.ts';

/** What a spec has as the parent of its resource: a reference or an id; undefined where its kind is not nested. */
export function parentIn(kind: Kind | undefined, spec: SpecObject | undefined): SpecValue | undefined {
  return kind?.within === undefined ? undefined : spec?.[kind.within.by];
}

/** The parent as a text that distinguishes it from others: its address, or its id. */
export function parentKeyIn(kind: Kind | undefined, spec: SpecObject): string | undefined {
  const parent = parentIn(kind, spec);
  if (parent instanceof Ref) return parent.to;
  return typeof parent === 'string' ? parent : undefined;
}
