import fastJsonPatch from 'fast-json-patch';
import { isAtOrBelow, pointerOf } from '../../derive/pointer.ts';
import type { Fields } from '../../kinds/kind.ts';
import { isSpecObject, Ref, Secret, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import { isRemoval, isReplacement, type Action, type Change } from '../../model/plan/plan.ts';
import { maskedJson, maskMark, type ShownSecret } from '../values/masked-json.ts';
import { orderedSpec } from '../values/ordered-value.ts';
import type { PlanJson } from './plan-json-schema.ts';
import { withValue } from '../values/with-value.ts';

type ChangeJson = PlanJson['resource_changes'][number]['change'];

const terraformActions: Readonly<Record<Action, ChangeJson['actions']>> = {
  none: ['no-op'],
  create: ['create'],
  update: ['update'],
  'replace-create-first': ['create', 'delete'],
  'replace-delete-first': ['delete', 'create'],
  delete: ['delete'],
  adopt: ['update'],
  forget: ['forget'],
  // Policies are about the account, where neither changes anything.
  'write-file': ['no-op'],
  record: ['no-op'],
};

/** The change of one resource, before and after, as in Terraform's plans. */
export function changeJson(change: Change, fields: Fields, unknown: readonly string[]): ChangeJson {
  const { id, action, actual, fields: differing } = change;
  // Items of a list have no place of their own: all of them count as changed.
  const changedSecrets = differing
    .filter(({ secret, before, after }) => secret || Array.isArray(before) || Array.isArray(after))
    .map(({ path }) => pointerOf(path));
  const ordered = (spec?: SpecObject): SpecObject | undefined => spec && orderedSpec(spec, fields);
  const shown = (spec: SpecObject | undefined, mask: ShownSecret): Record<string, unknown> | null =>
    spec === undefined ? null : (maskedJson(spec, mask) as Record<string, unknown>);
  const mask: ShownSecret = (pointer, secret) => ({
    ...maskMark(secret),
    changed: actual === undefined || isAtOrBelow(pointer, changedSecrets),
  });
  const [was, becomes] = [ordered(actual), ordered(afterOf(change))];
  const [before, after] = [shown(was, mask), shown(becomes, mask)];
  // A secret that changes is equal on both sides once masked; the patch must contain it all the same.
  const compared = shown(was, (pointer, secret) =>
    isAtOrBelow(pointer, changedSecrets) ? null : mask(pointer, secret),
  );
  return {
    actions: terraformActions[action],
    before,
    after,
    after_unknown: {
      ...(actual === undefined || isReplacement(change.action) ? { id: true } : {}),
      ...Object.fromEntries(unknown.map((name) => [name, true])),
      ...marksIn(becomes ?? {}, (value) => value instanceof Ref),
    },
    before_sensitive: marksIn(was ?? {}, (value) => value instanceof Secret),
    after_sensitive: marksIn(becomes ?? {}, (value) => value instanceof Secret),
    replace_paths: differing.filter(({ immutable }) => immutable).map(({ path }) => [...path]),
    ...(action === 'adopt' && id !== undefined ? { importing: { id } } : {}),
    ...((action === 'update' || action === 'adopt') && compared !== null && after !== null
      ? { patch: fastJsonPatch.compare(compared, after) as NonNullable<ChangeJson['patch']> }
      : {}),
  };
}

/** The planned spec: the actual one with the differences applied, so that unmanaged fields keep their values. */
function afterOf(change: Change): SpecObject | undefined {
  const { action, actual, desired, fields } = change;
  if (isRemoval(action)) return undefined;
  if (actual === undefined) return desired;
  const changed = fields.reduce((spec, { path, after }) => withValue(spec, path, after), actual);
  const ahead = Object.entries(desired ?? {}).filter(([, value]) => value instanceof Ref);
  return { ...changed, ...Object.fromEntries(ahead) };
}

/** True wherever a value matches, in the shape of the value; parts without one are omitted. */
function marksIn(spec: SpecObject, matches: (value: SpecValue) => boolean): Record<string, unknown> {
  const entries = Object.entries(spec).map(([key, item]): [string, unknown] => [key, markOf(item, matches)]);
  return Object.fromEntries(entries.filter(([, mark]) => mark !== false));
}

function markOf(value: SpecValue, matches: (value: SpecValue) => boolean): unknown {
  if (matches(value)) return true;
  if (Array.isArray(value)) {
    const marks = value.map((item) => markOf(item as SpecValue, matches));
    return marks.some((mark) => mark !== false) ? marks : false;
  }
  if (!isSpecObject(value)) return false;
  const marks = marksIn(value, matches);
  return Object.keys(marks).length === 0 ? false : marks;
}
