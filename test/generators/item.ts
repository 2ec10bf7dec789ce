/** A value as a manifest spells it. */
export type Written = null | boolean | number | string | readonly Written[] | WrittenObject;

/** A mapping as a manifest spells it. */
export interface WrittenObject {
  readonly [key: string]: Written;
}

/** One resource of a generated stack, before it becomes a manifest. */
export interface Item {
  readonly kind: string;
  /** Absent: a nested resource that is named by its own key field. */
  readonly name?: string;
  /** The name of the resource it lives in. */
  readonly parent?: string;
  /** Whether a nested resource is written inside its parent or as a manifest of its own. */
  readonly form: 'inside' | 'alone';
  readonly spec: WrittenObject;
  readonly protect?: boolean;
}

/** A reference as a manifest spells it. */
export function reference(name: string): WrittenObject {
  return { ref: name };
}

/** The name referred to, if a value is a reference. */
export function referredTo(value: Written | undefined): string | undefined {
  return isMapping(value) && Object.keys(value).length === 1 && typeof value['ref'] === 'string'
    ? value['ref']
    : undefined;
}

/** Whether a value is a mapping. */
export function isMapping(value: Written | undefined): value is WrittenObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
