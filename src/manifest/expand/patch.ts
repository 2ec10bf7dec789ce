import jsonPatch, { type Operation } from 'fast-json-patch';
import type { Code } from '../../diagnostics/codes.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import { pointerNames } from '../../derive/pointer.ts';
import { valueAt } from '../../derive/value-at.ts';
import type { Path } from '../../kinds/value.ts';
import { limits, weightOf } from '../read/limits.ts';
import { isWrittenObject, type Written, type WrittenObject, refusedKeys, type Edit } from '../read/written.ts';

/** One RFC 6902 operation as written in a stack file. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Written }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** The manifests that a patch changes. */
export interface PatchTarget {
  readonly kind: string;
  /** As in the address; `*` matches any text, unless a resource has this very name. Any name if left out. */
  readonly name?: string;
  /** Labels that a manifest must have; none are required if left out. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Changes to one manifest, written elsewhere. */
export interface Patch {
  readonly target: PatchTarget;
  readonly patch: readonly PatchOperation[];
  /** Where an operation was written, or the patch itself. */
  readonly placeOf?: (operation?: number) => SourceLocation;
}

/** A patched manifest, what was changed of it, and the operation that failed. */
export interface Patched {
  readonly value: WrittenObject;
  readonly edits: readonly Edit[];
  readonly failed?: {
    readonly operation: number;
    readonly code: Code;
    readonly message: string;
    readonly hint?: string;
  };
  /** How much the patch went through, by `weightOf`. */
  readonly work: number;
}

/**
 * Applies a patch to a copy of a manifest. Stops at the first operation that fails, and before one that makes the
 * manifest too large or goes through more than `workLeft`: a few copies of copies would fill any memory.
 */
export function applyPatch(manifest: WrittenObject, { patch, placeOf }: Patch, workLeft: number): Patched {
  let weight = weightOf(manifest, limits.patched);
  let work = weight;
  const fail = (operation: number, message: string, code: Code = 'PATCH_FAILED', hint?: string): Patched => ({
    value: manifest,
    edits: [],
    failed: { operation, code, message, ...(hint === undefined ? {} : { hint }) },
    work,
  });
  const unfit = (operation: number, step: PatchOperation, name: string): Patched =>
    fail(
      operation,
      meanings[name] ?? 'the patch cannot be applied to the manifest',
      'PATCH_FAILED',
      hints[name]?.(step),
    );
  let value = structuredClone(manifest);
  const edits: Edit[] = [];
  for (const [operation, step] of patch.entries()) {
    const path = pathOf(value, step.path);
    const refused = refusal(step);
    if (refused !== undefined) return fail(operation, refused);
    const absent = absentIn(value, step, path);
    if (absent !== undefined) return unfit(operation, step, absent);
    const touched = touchedBy(value, step, path);
    weight += touched.added - touched.removed;
    work += touched.added + touched.removed;
    if (weight > limits.patched)
      return fail(operation, `the patch makes the manifest larger than ${String(limits.patched)} values`, 'TOO_LARGE');
    if (work > workLeft)
      return fail(
        operation,
        `all patches together would process more than ${String(limits.patchWork)} values`,
        'TOO_LARGE',
      );
    if (step.op !== 'test') edits.push(...editsOf(value, step, path, placeOf?.(operation)));
    try {
      value = jsonPatch.applyOperation(value, structuredClone(step) as Operation, true, true, true).newDocument;
    } catch (error) {
      // The error's message repeats the manifest, secrets included; its name is enough.
      return unfit(operation, step, error instanceof Error ? error.name : '');
    }
    if (!isWrittenObject(value))
      return fail(operation, 'the patch replaces the manifest with a value that is not a mapping');
  }
  if (isDeeper(value, limits.depth))
    return fail(
      patch.length - 1,
      `the patch nests the manifest more than ${String(limits.depth)} levels deep`,
      'TOO_DEEP',
    );
  return { value, edits, work };
}

/** What is not there of all that an operation needs, by the name of the error of the library, which takes what every object inherits for something that is there. */
function absentIn(value: WrittenObject, step: PatchOperation, path: Path): string | undefined {
  if ('from' in step && valueAt(value, pathOf(value, step.from)) === undefined) return 'OPERATION_FROM_UNRESOLVABLE';
  const isNeeded = step.op === 'remove' || step.op === 'replace';
  return isNeeded && valueAt(value, path) === undefined ? 'OPERATION_PATH_UNRESOLVABLE' : undefined;
}

/** Whether a value has more levels of mappings and lists. */
function isDeeper(value: Written, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((one): Written[] => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

/** What an operation puts in and takes out, or at least goes through. */
function touchedBy(
  value: WrittenObject,
  step: PatchOperation,
  path: Path,
): { readonly added: number; readonly removed: number } {
  const weigh = (part: unknown): number => (part === undefined ? 1 : weightOf(part, limits.patched));
  const there = weigh(valueAt(value, path));
  const isInList = Array.isArray(valueAt(value, path.slice(0, -1)));
  const replaced = step.op === 'remove' || step.op === 'replace' || (!isInList && step.op !== 'test') ? there : 0;
  if (step.op === 'test') return { added: there, removed: there };
  if (step.op === 'remove') return { added: 0, removed: replaced };
  if (!('from' in step)) return { added: weigh(step.value), removed: replaced };
  const taken = weigh(valueAt(value, pathOf(value, step.from)));
  if (step.op === 'copy') return { added: taken, removed: replaced };
  // The library copies the value at the path that something is moved to.
  return { added: taken + there, removed: replaced + taken + there };
}

const meanings: Readonly<Record<string, string>> = {
  OPERATION_PATH_UNRESOLVABLE: 'the patch has a path that does not exist in the manifest',
  OPERATION_FROM_UNRESOLVABLE: 'the patch moves or copies a value from a path that does not exist in the manifest',
  OPERATION_PATH_CANNOT_ADD: 'the patch adds to a mapping or list that does not exist in the manifest',
  OPERATION_PATH_ILLEGAL_ARRAY_INDEX: 'the patch uses an invalid list index',
  OPERATION_VALUE_OUT_OF_BOUNDS: 'the patch uses a list index beyond the end of the list',
  TEST_OPERATION_FAILED: 'a `test` operation of the patch failed: the manifest has another value at the tested path',
};

const hints: Readonly<Record<string, (step: PatchOperation) => string | undefined>> = {
  OPERATION_PATH_CANNOT_ADD: ({ path }) => {
    const end = path.lastIndexOf('/');
    const isItem = /^(?:-|\d+)$/.test(path.slice(end + 1));
    return `first add the ${isItem ? 'list' : 'mapping'}: {op: add, path: ${safeText(path.slice(0, end), 200)}, value: ${isItem ? '[]' : '{}'}}`;
  },
  OPERATION_PATH_UNRESOLVABLE: ({ op }) =>
    op === 'replace' ? 'to set a field that the manifest does not have yet, use `op: add`' : undefined,
};

/** Pointers that could reach outside of the manifest's own values. */
function refusal(step: PatchOperation): string | undefined {
  const pointers = 'from' in step ? [step.path, step.from] : [step.path];
  if (!pointers.every((pointer) => pointer.startsWith('/')))
    return 'the `path` and `from` of a patch operation must begin with a slash';
  const steps = pointers.flatMap((pointer) => pointer.split('/'));
  return steps.some((name) => refusedKeys.has(name))
    ? 'the patch has a path with a reserved key, such as __proto__'
    : undefined;
}

/** A pointer as a path; `-` is the index after a list's last. */
function pathOf(value: Written, pointer: string): Path {
  const path: (string | number)[] = [];
  let here: Written | undefined = value;
  for (const name of pointerNames(pointer)) {
    const list: readonly Written[] | undefined = Array.isArray(here) ? here : undefined;
    const key: string | number = list === undefined ? name : name === '-' ? list.length : Number(name);
    path.push(key);
    here = list === undefined ? (isWrittenObject(here) ? here[key] : undefined) : list[Number(key)];
  }
  return path;
}

/** What an operation changes. Where entries of a list move up or down, nothing of the list is where it was written. */
function editsOf(value: WrittenObject, step: PatchOperation, path: Path, place: SourceLocation | undefined): Edit[] {
  const parent = path.slice(0, -1);
  const siblings = valueAt(value, parent);
  const shifts = Array.isArray(siblings) && step.op !== 'replace' && path.at(-1) !== siblings.length;
  const from = 'from' in step ? [{ path: pathOf(value, step.from).slice(0, -1) }] : [];
  if (shifts) return [{ path: parent }, ...from];
  return [...from, { path, ...(place === undefined ? {} : { place }) }];
}
