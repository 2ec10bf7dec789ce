import { checkSpec, type Finding } from '../../derive/check/check-spec.ts';
import type { Fields, Group, Profile, Rule } from '../../kinds/kind.ts';
import { isSpecObject, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import { Refusal } from '../answer.ts';
import type { Family } from '../family.ts';
import { isUnsetByEmptyText } from '../../derive/check/empty-text.ts';
import { fieldAt } from '../../derive/field-at.ts';
import { mayUse } from '../../derive/wire/operations.ts';
import { withoutNulls } from '../../derive/wire/without-nulls.ts';

/** A body as the spec it makes: for a create, or for an update of a spec there is. */
export function specOf(family: Family, sent: SpecObject, profile: Profile, before: SpecObject | undefined): SpecObject {
  const fields = fieldsTaken(family, profile, before !== undefined);
  const given = before === undefined ? sent : withoutUnset(fields, sent, profile);
  const isFixed = (name: string): boolean => fieldAt(family.fields, [name])?.lifecycle === 'immutable';
  const fixed = before === undefined ? undefined : Object.keys(given).find(isFixed);
  if (fixed !== undefined) throw new Refusal(400, 'IMMUTABLE_FIELD', `\`${fixed}\` cannot be changed after creation.`);
  const body = withoutEmptyTexts(fields, withoutUnsetOthers(family, fields, given), before !== undefined);
  validate({ fields, rules: [] }, body, profile, before !== undefined);
  const spec = withoutNulls(before === undefined ? body : { ...before, ...body });
  validateRules(family.rules, spec, profile, before);
  return spec;
}

/** A body as the whole of a module. */
export function moduleOf(group: Group, sent: SpecObject, profile: Profile): SpecObject {
  const body = withoutEmptyTexts(group.fields, sent, false);
  validate(group, body, profile, false);
  return withoutNulls(body);
}

/** The rules of a family held against a spec that has changed in one place. What broke a rule before, as in an account copied from elsewhere, may go on doing so. */
export function validateRules(
  rules: readonly Rule[],
  spec: SpecObject,
  profile: Profile,
  before: SpecObject | undefined,
): void {
  refuseFirst(
    rules
      .filter(({ check }) => before === undefined || check(before).length === 0)
      .flatMap(({ code, since, check }) => check(spec).map((problem) => ({ ...problem, code, since }))),
    profile,
  );
}

function validate(of: Pick<Group, 'fields' | 'rules'>, body: SpecObject, profile: Profile, partial: boolean): void {
  refuseFirst(checkSpec(of, body, { partial, wire: profile === 'completed' }), profile);
}

type Wrong = Pick<Finding, 'since' | 'path' | 'message'> & { readonly code: string };

function refuseFirst(all: readonly Wrong[], profile: Profile): void {
  const wrong = all.filter(({ since }) => mayUse(profile, since));
  if (wrong[0] !== undefined) throw new Refusal(400, wrong[0].code, wrong.slice(0, 5).map(inWords).join(' '));
}

function inWords({ path, message }: Wrong): string {
  return `${path.length === 0 ? '' : `${path.join('.')}: `}${message}.`;
}

/** The fields that a body may contain: without the id of the parent, which is in the path. */
function fieldsTaken(family: Family, profile: Profile, update: boolean): Fields {
  return Object.fromEntries(
    Object.entries(family.fields).filter(
      ([name, field]) =>
        name !== family.within?.by &&
        mayUse(profile, field.since) &&
        (update || field.is !== 'leaf' || field.notOnCreate !== true),
    ),
  );
}

/** A body without what the family knows, this call does not take, and nobody set: typed clients of other versions send it all the same. */
function withoutUnsetOthers({ fields, unexplained = {} }: Family, taken: Fields, body: SpecObject): SpecObject {
  const isOther = (name: string): boolean =>
    !Object.hasOwn(taken, name) && (Object.hasOwn(fields, name) || Object.hasOwn(unexplained, name));
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => (value !== '' && value !== null) || !isOther(name)),
  );
}

/** A body without the empty texts that mean a field is left out. */
function withoutEmptyTexts(fields: Fields, body: SpecObject, partial: boolean): SpecObject {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const field = fieldAt(fields, [name]);
      if (value === '' && field !== undefined && isUnsetByEmptyText(field, partial)) return [];
      const inner = field?.is === 'group' && isSpecObject(value);
      return [[name, inner ? withoutEmptyTexts(field.fields, value, false) : value]];
    }),
  );
}

/**
 * An update without what typed clients send for a field that nobody set: null, and an empty list where items are needed.
 * Null means something for a reference, and for a group that no DELETE takes away: it unsets them.
 */
function withoutUnset(fields: Fields, body: SpecObject, profile: Profile): SpecObject {
  const isUnset = ([name, value]: [string, SpecValue]): boolean => {
    const field = fieldAt(fields, [name]);
    if (field === undefined || field.lifecycle === 'computed') return false;
    if (field.is === 'list' && Array.isArray(value) && value.length === 0)
      return field.atLeast !== undefined && mayUse(profile, field.atLeast.since);
    const isCleared = field.is === 'group' ? field.path === undefined : field.is === 'leaf' && field.ref !== undefined;
    return value === null && !isCleared;
  };
  return Object.fromEntries(Object.entries(body).filter((entry) => !isUnset(entry)));
}
