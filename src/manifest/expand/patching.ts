import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import { addressOf } from '../../model/address.ts';
import { limits } from '../read/limits.ts';
import type { Origin } from '../read/origin.ts';
import { applyPatch, type Patch, type Patched } from './patch.ts';
import type { Problems } from '../check/problems.ts';
import { isWrittenObject, type Written } from '../read/written.ts';

/** A manifest as read, and where. */
export interface Item {
  readonly value: Written;
  readonly origin: Origin;
}

/** Applies the patches of a stack to the manifests they name, and remembers which were of use. */
export function patching(
  patches: readonly Patch[],
  problems: Problems,
): { readonly apply: (item: Item) => Item; readonly reportUnused: () => void } {
  const unused = new Set(patches);
  const targets = new Map<string, Patch[]>();
  let workLeft = limits.patchWork;
  for (const patch of patches) {
    const key = addressOf(patch.target.kind, patch.target.name);
    const same = targets.get(key);
    if (same === undefined) targets.set(key, [patch]);
    else same.push(patch);
  }
  return { apply, reportUnused };

  function apply(item: Item): Item {
    const matching = targets.get(nameOf(item.value)) ?? [];
    return matching.reduce((patched, patch) => {
      unused.delete(patch);
      return isWrittenObject(patched.value) ? applyOne(patched, patch) : patched;
    }, item);
  }

  function applyOne(item: Item, patch: Patch): Item {
    // That the patches are too much was reported where it happened.
    if (!isWrittenObject(item.value) || workLeft < 0) return item;
    const { value, edits, failed, work } = applyPatch(item.value, patch, workLeft);
    workLeft -= work;
    if (failed !== undefined) report(item.value, patch, failed);
    const { origin } = item;
    const moved = edits.map((edit) => ({ ...edit, path: [...origin.base, ...edit.path] }));
    return { value, origin: { ...origin, edits: [...origin.edits, ...moved] } };
  }

  function report(target: Written, { placeOf }: Patch, failed: NonNullable<Patched['failed']>): void {
    const message = `the patch of ${nameOf(target)} ${failed.message}`;
    problems.add({ code: failed.code, severity: 'error', message, ...placed(placeOf?.(failed.operation)) });
  }

  function reportUnused(): void {
    for (const { target, placeOf } of unused)
      problems.add({
        code: 'PATCH_TARGET_NOT_FOUND',
        severity: 'error',
        message: `the patch target ${addressOf(target.kind, target.name)} is not defined in the manifests`,
        ...placed(placeOf?.()),
      });
  }
}

function placed(place: SourceLocation | undefined): { readonly place?: SourceLocation } {
  return place === undefined ? {} : { place };
}

function nameOf(value: Written): string {
  if (!isWrittenObject(value) || !isWrittenObject(value['metadata'])) return '';
  const { kind, metadata } = value;
  return typeof kind === 'string' && typeof metadata['name'] === 'string' ? addressOf(kind, metadata['name']) : '';
}
