/*
 * An access control or a filter that stays but lets more through. The kinds say how each of their fields opens; where the
 * meaning of a field is not described, any change may open.
 *
 *   the kinds say            opens when
 *   ----------------------   --------------------------------------------------------------------
 *   allowLists: [..]         together they are a guest list: empty admits everybody, else the named
 *   widensWhen: grows             an entry is added
 *   widensWhen: turned-on         a flag becomes true
 *   widensWhen: lowered           the new value is lower, or one of the two is not known
 *   widensWhen: changes           the value is another
 */
import { canonical } from '../../derive/canonical.ts';
import { isInEffect } from '../../kinds/in-effect.ts';
import type { AccessControl, Field, Fields, Kind } from '../../kinds/kind.ts';
import { isSpecObject, Ref, Secret, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import type { Decision } from '../decide.ts';
import { classOf } from './routing-model.ts';
import { specAfter } from '../written-specs.ts';

/** What of a resource's guards lets more through after than before, a sentence each; empty when nothing does. */
export function widenedAccess(decision: Decision): string[] {
  const { kind, actual, desired } = decision.pair;
  return actual === undefined || desired === undefined ? [] : widenedControls(kind, actual.spec, specAfter(decision));
}

/** What one set of guards lets through that another of the same kind does not, a sentence each. */
export function widenedControls(kind: Kind, old: SpecObject, young: SpecObject): string[] {
  const guards = Object.entries(kind.fields).flatMap(([name, field]) => {
    const [before, after] = [old[name], young[name]];
    if (field.is !== 'group' || classOf(field) === undefined || !isInEffect(field, before)) return [];
    if (isInEffect(field, after)) return inside(field, before, after, name);
    // Where nothing replaces it, the model of traffic reports it.
    const instead = takesItsPlace(kind, field.accessControl, name, old, young);
    return instead === undefined ? [] : [`\`${name}\` is replaced by \`${instead}\`, which may allow other clients`];
  });
  return [...guards, ...guestList(kind.allowLists, old, young, '')];
}

/** An access control of the same class that comes into effect as another goes. */
function takesItsPlace(
  kind: Kind,
  asks: AccessControl | undefined,
  leaving: string,
  before: SpecObject,
  after: SpecObject,
): string | undefined {
  if (asks === undefined) return undefined;
  return Object.entries(kind.fields).find(
    ([name, field]) =>
      field.is === 'group' &&
      field.accessControl === asks &&
      name !== leaving &&
      !isInEffect(field, before[name]) &&
      isInEffect(field, after[name]),
  )?.[0];
}

interface Holder {
  readonly fields: Fields;
  readonly allowLists?: readonly string[];
}

function inside(holder: Holder, before: SpecObject, after: SpecObject, at: string): string[] {
  const own = Object.entries(holder.fields).flatMap(([name, field]) => {
    const [old, young] = [before[name] ?? null, after[name] ?? null];
    const path = `${at}.${name}`;
    if (field.is !== 'group') return leaf(field, old, young, path);
    if (isSpecObject(old) && isSpecObject(young)) return inside(field, old, young, path);
    return isSpecObject(old) && field.lifecycle !== 'computed'
      ? [`\`${path}\` no longer applies; another check replaces it`]
      : [];
  });
  return [...own, ...guestList(holder.allowLists, before, after, `${at}.`)];
}

function leaf(field: Exclude<Field, { is: 'group' }>, old: SpecValue, young: SpecValue, path: string): string[] {
  if (field.widensWhen === undefined) return [];
  switch (field.widensWhen) {
    case 'grows': {
      const more = added(old, young);
      return more.length === 0 ? [] : [`\`${path}\` also allows ${more.join(', ')}`];
    }
    case 'turned-on':
      return old !== true && young === true ? [`\`${path}\` is enabled`] : [];
    case 'lowered':
      return text(field, old) === text(field, young) || isHigher(young, old)
        ? []
        : [`\`${path}\` is lowered, or may be lower`];
    case 'changes':
      return text(field, old) === text(field, young)
        ? []
        : [`\`${path}\` changes, and the effect on access is unknown`];
  }
}

/** Lists that together name who has access: with no entry, access is not restricted. */
function guestList(names: readonly string[] = [], before: SpecObject, after: SpecObject, prefix: string): string[] {
  const all = (spec: SpecObject) => names.flatMap((name) => entries(spec[name]));
  if (names.length === 0 || all(before).length === 0) return [];
  if (all(after).length === 0)
    return [`${names.map((name) => `\`${prefix}${name}\``).join(', ')}: no entry is left, so access is not restricted`];
  return names.flatMap((name) => {
    const more = added(before[name], after[name]);
    return more.length === 0 ? [] : [`\`${prefix}${name}\` also allows ${more.join(', ')}`];
  });
}

function added(old: SpecValue | undefined, young: SpecValue | undefined): string[] {
  const known = new Set(entries(old).map(textOf));
  return entries(young).flatMap((entry) => (known.has(textOf(entry)) ? [] : [shownText(entry)]));
}

function entries(value: SpecValue | undefined): readonly SpecValue[] {
  return Array.isArray(value) ? (value as readonly SpecValue[]) : [];
}

function textOf(item: SpecValue): string {
  return item instanceof Secret ? item.reveal() : shownText(item);
}

function shownText(item: SpecValue): string {
  if (item instanceof Ref) return item.to;
  return typeof item === 'string' ? item : item instanceof Secret ? item.toString() : JSON.stringify(item);
}

function text(field: Field, value: SpecValue): string {
  return JSON.stringify(canonical(field, value, (secret) => secret));
}

/** Versions such as 1.2 and 1.3. What is no version is higher than nothing. */
function isHigher(young: SpecValue, old: SpecValue): boolean {
  const [a, b] = [young, old].map((value) =>
    typeof value === 'string' && /^\d+\.\d+$/.test(value) ? Number(value) : NaN,
  );
  return a !== undefined && b !== undefined && a > b;
}
