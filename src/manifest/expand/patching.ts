import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { KindSet } from '../../kinds/kind.ts';
import { addressOf, type Address } from '../../model/address.ts';
import { limits } from '../read/limits.ts';
import { applyPatch, type Patch, type Patched, type PatchTarget } from './patch.ts';
import { isTarget, operationsInside, patchablesIn, replacesEntry, type Patchable } from './patch-target.ts';
import { hintToKind, isKnownKind } from '../check/known-kind.ts';
import type { Problems } from '../check/problems.ts';
import { isWrittenObject, type Written, type Origin } from '../read/written.ts';
import { addToGroup } from '../../model/group-by.ts';
import { present } from '../../model/present.ts';

/** A manifest as read, and where. */
export interface Item {
  readonly value: Written;
  readonly origin: Origin;
}

/** Applies the patches of a stack to the manifests they name, and remembers which were of use. Every manifest is seen before the first is patched. */
export function patching(patches: readonly Patch[], kinds: KindSet, problems: Problems) {
  // Those that have matched nothing.
  const unused = new Set(patches);
  let workLeft = limits.patchWork;
  // Most patches name one resource: those are found without looking through all.
  const exact = new Map<string, number[]>();
  const patterns: number[] = [];
  for (const [index, { target }] of patches.entries()) {
    const { kind, name = '*' } = target;
    if (name.includes('*')) patterns.push(index);
    else addToGroup(exact, addressOf(kind, name), index);
  }
  const known = new Set<Address>();
  return { see, apply, hasUnused: () => unused.size > 0, reportUnused, unusedBecauseOf };

  function see({ value }: Item): void {
    if (patterns.length > 0) for (const { address } of patchablesIn(value, kinds)) known.add(address);
  }

  function apply(item: Item): Item {
    if (patches.length === 0) return item;
    let patched = item;
    let there = patchablesIn(item.value, kinds);
    const due = new Set([...exactFor(there), ...patterns]);
    const order = [...due].sort((a, b) => a - b);
    // It grows behind the patch that is applied: later ones see what this one renamed or added.
    for (const index of order) {
      const patch = patches[index];
      if (patch === undefined) continue;
      // From the last, so that one that is removed does not move those still to come.
      const targets = there.filter((one) => isTarget(patch.target, one, known)).reverse();
      if (targets.length === 0) continue;
      unused.delete(patch);
      patched = targets.reduce((whole, target) => applyOne(whole, patch, target), patched);
      there = patchablesIn(patched.value, kinds);
      const later = exactFor(there).filter((one) => one > index && !due.has(one));
      if (later.length === 0) continue;
      for (const one of later) due.add(one);
      order.push(...later);
      order.sort((a, b) => a - b);
    }
    return patched;
  }

  function exactFor(there: readonly Patchable[]): readonly number[] {
    return [...new Set(there.flatMap(({ address }) => exact.get(address) ?? []))];
  }

  function applyOne(item: Item, patch: Patch, { address, inside }: Patchable): Item {
    if (!isWrittenObject(item.value)) return item;
    if (workLeft < 0) {
      // That the patches are too much was reported where it happened.
      problems.doubt();
      return item;
    }
    const whole = inside === undefined ? -1 : patch.patch.findIndex(replacesEntry);
    if (whole !== -1) {
      report(address, patch, { operation: whole, ...entryReplaced });
      return item;
    }
    const own = inside === undefined ? patch : { ...patch, patch: operationsInside(patch.patch, inside) };
    const { value, edits, failed, work } = applyPatch(item.value, own, workLeft);
    workLeft -= work;
    if (failed !== undefined) report(address, patch, failed);
    const { origin } = item;
    const moved = edits.map((edit) => ({ ...edit, path: [...origin.base, ...edit.path] }));
    return { value, origin: { ...origin, edits: [...origin.edits, ...moved] } };
  }

  function report(address: string, { placeOf }: Patch, failed: NonNullable<Patched['failed']>): void {
    const message = `${safeText(address, 200)}: ${failed.message}`;
    problems.doubt();
    const { code, hint, operation } = failed;
    problems.add({ code, severity: 'error', message, ...present({ place: placeOf?.(operation), hint }) });
  }

  /** What to say of unused patches where files have errors: their targets may be in one of these. */
  function unusedBecauseOf([first = '', ...others]: readonly string[]): readonly Diagnostic[] {
    const where = others.length === 0 ? safeText(first, 200) : `the ${others.length + 1} files with errors`;
    return [...unused].map(({ target, placeOf }) => ({
      code: 'PATCH_TARGET_NOT_FOUND',
      severity: 'error',
      message: `no manifest that can be read matches the patch target ${targetText(target)}`,
      hint: `correct the errors in ${where} first, since they may contain the target; until then, all resources keep their last valid version`,
      ...present({ place: placeOf?.() }),
    }));
  }

  function reportUnused(): void {
    for (const { target, placeOf } of unused)
      problems.add({
        code: 'PATCH_TARGET_NOT_FOUND',
        severity: 'error',
        message: `no manifest matches the patch target ${targetText(target)}`,
        ...(isKnownKind(target.kind, kinds) ? {} : { hint: hintToKind(target.kind, kinds) }),
        ...present({ place: placeOf?.() }),
      });
  }
}

const entryReplaced = {
  code: 'PATCH_FAILED',
  message:
    'the patch replaces `spec` or `metadata` of a resource that is written inside another manifest, which would remove the name and the `lifecycle` of the resource',
  hint: 'change single fields instead, such as /spec/description or /metadata/labels',
} as const;

function targetText({ kind, name = '*', labels = {} }: PatchTarget): string {
  const wanted = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const suffix = wanted.length === 0 ? '' : ` with the labels ${wanted.join(', ')}`;
  return safeText(`${addressOf(kind, name)}${suffix}`, 200);
}
