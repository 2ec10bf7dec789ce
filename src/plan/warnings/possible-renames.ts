/*
 * A resource that was renamed without `moved_from` is deleted and created again: it gets another id, and an address or a
 * credential is lost. So a creation and a deletion of one kind, and in one parent, are compared: they look alike if they
 * have a value in common that is unique in the account, or two thirds of what either of them sets. Where state knows that
 * what is deleted had the very address of what is created, and no other resource had it since, it is no guess but an error.
 */
import { canonicalKey, unsetKey } from '../../derive/canonical.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Field, Kind } from '../../kinds/kind.ts';
import { parentIn } from '../../kinds/parent-in.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { Decision, Decisions } from '../decide.ts';

/** What the plan deletes and creates that is rather one resource with another name, each deletion once: an error where it had that name before, a warning where the two look alike. */
export function possibleRenames(decisions: Decisions): Diagnostic[] {
  const all = [...decisions.values()];
  const left = new Set(all.filter(isLost));
  if (left.size === 0) return [];
  const byFormer = new Map<Address, Decision[]>();
  for (const lost of left)
    for (const former of lost.pair.entry?.formerAddresses ?? []) addToGroup(byFormer, former, lost);
  const named = all.filter(isNew).flatMap((created): { created: Decision; error: Diagnostic }[] => {
    const { address, kind } = created.pair;
    const deleted = byFormer.get(address)?.find((one) => left.has(one) && haveOneParent(kind, created.spec, one));
    if (deleted === undefined) return [];
    left.delete(deleted);
    return [{ created, error: renamedBack(created, deleted, all) }];
  });
  const known = new Set(named.map(({ created }) => created));
  const others = all.filter((decision) => isNew(decision) && !known.has(decision));
  return [...named.map(({ error }) => error), ...lookAlikes(others, left)];
}

function renamedBack(created: Decision, deleted: Decision, all: readonly Decision[]): Diagnostic {
  const { address, desired } = created.pair;
  const lost = deleted.pair;
  const inside = all.filter(({ deletedWith }) => deletedWith === lost.address);
  return {
    code: 'MOVED_FROM_MISSING',
    severity: 'error',
    message: `the plan would delete ${lost.address} (${lost.actual?.id ?? ''}), which had the address ${address} before, and create a new resource in its place`,
    hint: `to keep the resource and rename it, set \`lifecycle: {moved_from: ${lost.address}}\`; to replace it by a new resource, delete it in a separate apply, before ${address} is added`,
    address,
    heldBack: [lost.address, ...inside.map(({ pair }) => pair.address)],
    ...(desired === undefined ? {} : { place: desired.place }),
  };
}

function lookAlikes(created: readonly Decision[], lost: ReadonlySet<Decision>): Diagnostic[] {
  const left = new Set(lost);
  return created.flatMap((created): Diagnostic[] => {
    const [best] = [...left]
      .map((deleted) => ({ deleted, likeness: likenessOf(created, deleted) }))
      .filter(({ likeness }) => likeness >= 2 / 3)
      .sort((a, b) => b.likeness - a.likeness);
    const { desired, address } = created.pair;
    if (best === undefined || desired === undefined) return [];
    left.delete(best.deleted);
    const former = best.deleted.pair.address;
    return [
      {
        code: 'POSSIBLE_RENAME',
        severity: 'warning',
        message: `the new resource looks like ${former}, which this plan deletes`,
        hint: `to rename the resource without deleting it, set \`lifecycle: {moved_from: ${former}}\``,
        address,
        place: desired.place,
      },
    ];
  });
}

function isLost({ action, pair, deletedWith }: Decision): boolean {
  return action === 'delete' && deletedWith === undefined && pair.cleanup === undefined;
}

function isNew({ action }: Decision): boolean {
  return action === 'create';
}

/** From 0, nothing in common, to 1. */
function likenessOf(created: Decision, deleted: Decision): number {
  const { kind } = created.pair;
  if (kind !== deleted.pair.kind || !haveOneParent(kind, created.spec, deleted)) return 0;
  const compared = Object.entries(kind.fields)
    .filter(([name, field]) => isCompared(kind, name, field))
    .map(([name, field]) => ({
      name,
      before: canonicalKey(field, deleted.pair.actual?.spec[name]),
      after: canonicalKey(field, created.spec[name]),
    }))
    .filter(({ before, after }) => before !== unsetKey || after !== unsetKey);
  const alike = compared.filter(({ before, after }) => before === after);
  const unique = kind.unique.filter(({ scope }) => scope === 'account').map(({ field }) => field);
  if (alike.some(({ name }) => unique.includes(name))) return 1;
  return compared.length === 0 ? 0 : alike.length / compared.length;
}

function haveOneParent(kind: Kind, spec: SpecObject, deleted: Decision): boolean {
  return parentIn(kind, spec) === deleted.pair.actual?.parent;
}

function isCompared({ within }: Kind, name: string, field: Field): boolean {
  if (field.lifecycle === 'computed' || name === within?.by) return false;
  return !(field.is === 'leaf' && field.carriesMarker === true);
}
