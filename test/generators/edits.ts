import fc, { type Arbitrary } from 'fast-check';
import type { Kind, KindSet } from '../../src/kinds/kind.ts';
import type { Item, Written } from './item.ts';
import { mend } from './mend.ts';
import { names } from './pools.ts';
import { anyStack } from './stack.ts';

/** What a person did to a stack. `at` and `with` pick items, modulo how many there are. */
export interface Edit {
  readonly does: (typeof deeds)[number];
  readonly at: number;
  readonly with: number;
}

const deeds = [
  'take over a field',
  'leave out a field',
  'replace the spec',
  'swap access controls',
  'swap unique values',
  'move a unique value',
  'rename',
  're-parent',
  'change the form',
  'delete',
  'add',
] as const;

/** A stack, and what it is after some edits. Deeds can be narrowed to those named. */
export function anyEditedStack(
  kinds: KindSet,
  options: { readonly maxEdits?: number; readonly deeds?: readonly Edit['does'][] } = {},
): Arbitrary<{ readonly before: readonly Item[]; readonly after: readonly Item[] }> {
  const pick = fc.nat(60);
  const edit = fc.record({ does: fc.constantFrom(...(options.deeds ?? deeds)), at: pick, with: pick });
  return fc
    .record({
      before: anyStack(kinds),
      donor: anyStack(kinds),
      edits: fc.array(edit, { minLength: 1, maxLength: options.maxEdits ?? 5, size: 'max' }),
    })
    .map(({ before, donor, edits }) => ({
      before,
      after: mend(
        edits.reduce((items, one) => edited(items, one, donor, kinds), [...before]),
        kinds,
      ),
    }));
}

/** The items after one edit; `donor` is a stack to take new values from. */
export function edited(items: readonly Item[], edit: Edit, donor: readonly Item[], kinds: KindSet): Item[] {
  const restricted = items.filter((one) => edit.does === 'swap access controls' && controlsOf(one, kinds) !== '');
  const item = picked(restricted.length > 0 ? restricted : items, edit.at);
  if (edit.does === 'add' || item === undefined) return [...items, ...[picked(donor, edit.with) ?? []].flat()];
  const kind = kinds.named(item.kind);
  if (kind === undefined) return [...items];
  const alike = donor.filter((other) => other.kind === item.kind);
  const otherwiseControlled = alike.filter(
    (other) =>
      edit.does === 'swap access controls' && !['', controlsOf(item, kinds)].includes(controlsOf(other, kinds)),
  );
  const like = picked(otherwiseControlled.length > 0 ? otherwiseControlled : alike, edit.with);
  const other = picked(
    items.filter(
      (one) => one !== item && one.kind === item.kind && (kind.within === undefined || one.parent === item.parent),
    ),
    edit.with,
  );
  switch (edit.does) {
    case 'take over a field':
      return put(items, item, withField(item, like, edit.with));
    case 'leave out a field':
      return put(items, item, withField(item, { ...item, spec: {} }, edit.with));
    case 'replace the spec':
      return put(items, item, like === undefined ? item : { ...item, spec: like.spec });
    case 'swap access controls':
      return put(items, item, withControlsOf(item, like ?? other, kind));
    case 'swap unique values':
      return swapUnique(items, item, other, kind);
    case 'move a unique value':
      return moveUnique(items, item, other, kind);
    case 'rename':
      return put(items, item, kind.within === undefined ? { ...item, name: nameAt(edit.with) } : renamedInside(item));
    case 're-parent':
      return put(items, item, kind.within === undefined ? item : { ...item, parent: nameAt(edit.with) });
    case 'change the form':
      return put(items, item, { ...item, form: item.form === 'inside' ? 'alone' : 'inside' });
    case 'delete':
      return items.filter((one) => one !== item);
  }
}

function picked<T>(among: readonly T[], at: number): T | undefined {
  return among[at % Math.max(1, among.length)];
}

function nameAt(at: number): string {
  return names[at % names.length] ?? names[0];
}

function renamedInside(item: Item): Item {
  if (item.name === undefined) return { ...item, name: 'front' };
  const { name: _, ...unnamed } = item;
  return unnamed;
}

function put(items: readonly Item[], item: Item, changed: Item): Item[] {
  return items.map((one) => (one === item ? changed : one));
}

/** One field as another item has it; left out where that has none. */
function withField(item: Item, from: Item | undefined, at: number): Item {
  if (from === undefined) return item;
  const field = picked([...new Set([...Object.keys(from.spec), ...Object.keys(item.spec)])].sort(), at);
  if (field === undefined) return item;
  const { [field]: _, ...rest } = item.spec;
  const value = from.spec[field];
  return { ...item, spec: value === undefined ? rest : { ...rest, [field]: value } };
}

/** Which access controls an item has, by name. */
function controlsOf({ kind, spec }: Item, kinds: KindSet): string {
  const fields = kinds.named(kind)?.fields ?? {};
  return Object.keys(spec)
    .filter((name) => {
      const field = fields[name];
      return field?.is === 'group' && (field.accessControl ?? field.filter) !== undefined;
    })
    .sort()
    .join();
}

/** Its access controls away and those of another in their place. */
function withControlsOf(item: Item, from: Item | undefined, kind: Kind): Item {
  const isAccessControl = ([name]: [string, unknown]) => {
    const field = kind.fields[name];
    return field?.is === 'group' && (field.accessControl ?? field.filter) !== undefined;
  };
  const own = Object.entries(item.spec).filter((entry) => !isAccessControl(entry));
  return { ...item, spec: Object.fromEntries([...own, ...Object.entries(from?.spec ?? {}).filter(isAccessControl)]) };
}

function swapUnique(items: readonly Item[], item: Item, other: Item | undefined, kind: Kind): Item[] {
  const field = kind.unique[0]?.field;
  if (field === undefined || other === undefined) return [...items];
  const [a, b] = [item.spec[field] ?? null, other.spec[field] ?? null];
  return put(put(items, item, { ...item, spec: { ...item.spec, [field]: b } }), other, {
    ...other,
    spec: { ...other.spec, [field]: a },
  });
}

/** One value of a list from one to the other; a single value is swapped. */
function moveUnique(items: readonly Item[], item: Item, other: Item | undefined, kind: Kind): Item[] {
  const field = kind.unique[0]?.field;
  if (field === undefined || other === undefined) return [...items];
  const [from, to] = [listOf(item.spec[field]), listOf(other.spec[field])];
  if (from === undefined || to === undefined) return swapUnique(items, item, other, kind);
  return put(put(items, item, { ...item, spec: { ...item.spec, [field]: from.slice(1) } }), other, {
    ...other,
    spec: { ...other.spec, [field]: [...to, ...from.slice(0, 1)] },
  });
}

function listOf(value: Written | undefined): readonly Written[] | undefined {
  return value === undefined ? [] : Array.isArray(value) ? (value as readonly Written[]) : undefined;
}
