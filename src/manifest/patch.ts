import jsonPatch, { type Operation } from 'fast-json-patch';
import type { Place } from '../diagnostics/diagnostic.ts';
import type { Path } from '../kinds/value.ts';
import type { Edit } from './origin.ts';
import { refusedKeys } from './refused-keys.ts';
import { isWrittenObject, type Written, type WrittenObject } from './written.ts';

/** One RFC 6902 operation as a stack file holds it. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Written }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** Changes to one manifest, written elsewhere. */
export interface Patch {
  readonly target: { readonly kind: string; readonly name: string };
  readonly patch: readonly PatchOperation[];
  /** Where an operation was written, or the patch itself. */
  readonly placeOf?: (operation?: number) => Place;
}

/** A patched manifest, what was changed of it, and the operation that did not fit. */
export interface Patched {
  readonly value: WrittenObject;
  readonly edits: readonly Edit[];
  readonly failed?: { readonly operation: number; readonly message: string };
}

/** Applies a patch to a copy of a manifest. Stops at the first operation that does not fit. */
export function applyPatch(manifest: WrittenObject, { patch, placeOf }: Patch): Patched {
  let value = structuredClone(manifest);
  const edits: Edit[] = [];
  for (const [operation, step] of patch.entries()) {
    const path = pathOf(value, step.path);
    const refused = refusal(step);
    if (refused !== undefined) return { value: manifest, edits: [], failed: { operation, message: refused } };
    if (step.op !== 'test') edits.push(...editsOf(value, step, path, placeOf?.(operation)));
    try {
      value = jsonPatch.applyOperation(value, structuredClone(step) as Operation, true, true, true).newDocument;
    } catch (error) {
      // The error's message repeats the manifest, secrets included; its name says enough.
      const name = error instanceof Error ? error.name : '';
      return {
        value: manifest,
        edits: [],
        failed: { operation, message: meanings[name] ?? 'does not fit its target' },
      };
    }
    if (!isWrittenObject(value))
      return { value: manifest, edits: [], failed: { operation, message: 'leaves no manifest' } };
  }
  return { value, edits };
}

const meanings: Readonly<Record<string, string>> = {
  OPERATION_PATH_UNRESOLVABLE: 'names a path that the target does not have',
  OPERATION_FROM_UNRESOLVABLE: 'takes from a path that the target does not have',
  OPERATION_PATH_CANNOT_ADD: 'adds below a path that the target does not have',
  OPERATION_PATH_ILLEGAL_ARRAY_INDEX: 'uses as an index what is none',
  OPERATION_VALUE_OUT_OF_BOUNDS: 'uses an index beyond the end of the list',
  TEST_OPERATION_FAILED: 'tests for a value that the target does not have',
};

/** Pointers that could reach outside of the manifest's own values. */
function refusal(step: PatchOperation): string | undefined {
  const pointers = 'from' in step ? [step.path, step.from] : [step.path];
  if (!pointers.every((pointer) => pointer.startsWith('/'))) return 'must name a path that begins with a slash';
  const steps = pointers.flatMap((pointer) => pointer.split('/'));
  return steps.some((name) => refusedKeys.has(name)) ? 'names a path that is not allowed' : undefined;
}

/** A pointer as a path; `-` is the index after a list's last. */
function pathOf(value: Written, pointer: string): Path {
  const path: (string | number)[] = [];
  let here: Written | undefined = value;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const list: readonly Written[] | undefined = Array.isArray(here) ? here : undefined;
    const key: string | number = list === undefined ? name : name === '-' ? list.length : Number(name);
    path.push(key);
    here = list === undefined ? (isWrittenObject(here) ? here[key] : undefined) : list[Number(key)];
  }
  return path;
}

/** What an operation changes. Where entries of a list move up or down, nothing of the list is where it was written. */
function editsOf(value: WrittenObject, step: PatchOperation, path: Path, place: Place | undefined): Edit[] {
  const parent = path.slice(0, -1);
  const siblings = parent.reduce<Written | undefined>(
    (here, key) =>
      Array.isArray(here) ? (here as Written[])[Number(key)] : isWrittenObject(here) ? here[key] : undefined,
    value,
  );
  const shifts = Array.isArray(siblings) && step.op !== 'replace' && path.at(-1) !== siblings.length;
  const from = 'from' in step ? [{ path: pathOf(value, step.from).slice(0, -1) }] : [];
  if (shifts) return [{ path: parent }, ...from];
  return [...from, { path, ...(place === undefined ? {} : { place }) }];
}
