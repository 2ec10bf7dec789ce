import type { Place } from '../diagnostics/diagnostic.ts';
import { addressOf } from '../model/address.ts';
import type { Origin } from './origin.ts';
import { applyPatch, type Patch } from './patch.ts';
import type { Problems } from './problems.ts';
import { isWrittenObject, type Written } from './written.ts';

/** A manifest as read, and where. */
export interface Item {
  readonly value: Written;
  readonly origin: Origin;
}

/** Applies the patches of a stack to the manifests they name, and remembers which were of use. */
export function patching(
  patches: readonly Patch[],
  problems: Problems,
): { readonly apply: (item: Item) => Item; readonly tellUnused: () => void } {
  const unused = new Set(patches);
  const targets = new Map<string, Patch[]>();
  for (const patch of patches) {
    const key = addressOf(patch.target.kind, patch.target.name);
    targets.set(key, [...(targets.get(key) ?? []), patch]);
  }
  return { apply, tellUnused };

  function apply(item: Item): Item {
    const matching = targets.get(nameOf(item.value)) ?? [];
    return matching.reduce((patched, patch) => {
      unused.delete(patch);
      return isWrittenObject(patched.value) ? applyOne(patched, patch) : patched;
    }, item);
  }

  function applyOne(item: Item, patch: Patch): Item {
    if (!isWrittenObject(item.value)) return item;
    const { value, edits, failed } = applyPatch(item.value, patch);
    if (failed !== undefined) tell(`the patch of ${nameOf(item.value)} ${failed.message}`, patch, failed.operation);
    const { origin } = item;
    const moved = edits.map((edit) => ({ ...edit, path: [...origin.base, ...edit.path] }));
    return { value, origin: { ...origin, edits: [...origin.edits, ...moved] } };
  }

  function tell(message: string, { placeOf }: Patch, operation: number): void {
    problems.add({ code: 'PATCH_FAILED', severity: 'error', message, ...placed(placeOf?.(operation)) });
  }

  function tellUnused(): void {
    for (const { target, placeOf } of unused)
      problems.add({
        code: 'NO_PATCH_TARGET',
        severity: 'error',
        message: `no manifest is a ${target.kind} named \`${target.name}\``,
        ...placed(placeOf?.()),
      });
  }
}

function placed(place: Place | undefined): { readonly place?: Place } {
  return place === undefined ? {} : { place };
}

function nameOf(value: Written): string {
  if (!isWrittenObject(value) || !isWrittenObject(value['metadata'])) return '';
  const { kind, metadata } = value;
  return typeof kind === 'string' && typeof metadata['name'] === 'string' ? addressOf(kind, metadata['name']) : '';
}
