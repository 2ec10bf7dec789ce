/*
 * An access control or a filter that stays but admits other clients. The kinds define how each of their fields widens
 * access; if the API does not describe what a field means, any change may widen access, and may restrict it.
 *
 *   in the kind             wider when                                          narrower when
 *   ---------------------   -------------------------------------------------   ---------------------------------------
 *   allowLists: [..]        an entry is added, or no entry is left              an entry is removed, or the first added
 *     coveredBy             as above, unless another list admits the same clients anyway
 *   widensWhen: grows       an entry is added                                   an entry is removed
 *   widensWhen: turned-on   a flag becomes true                                 it becomes false
 *   widensWhen: lowered     the new value is lower, or one of the two unknown   it is higher, or one of the two unknown
 *   widensWhen: raised      the new value is higher, or one of the two unset    never: who signs in again has access
 *   widensWhen: changes     the value changes                                   the value changes; of a list, an entry is
 *                                                                               removed
 *   presented               the secret that clients use changes                 it changes
 *   mayAnswer               the module comes into effect                        (by its class, in access-differences.ts)
 */
import { asText, canonical, type SecretForm } from '../../derive/canonical.ts';
import { valueAt } from '../../derive/value-at.ts';
import { isInEffect } from '../../kinds/in-effect.ts';
import { namedFields, namedFieldsWhere } from '../../kinds/named-fields.ts';
import type { AccessControl, Field, Fields, Group, Kind } from '../../kinds/kind.ts';
import { isSpecObject, OutsideValue, Ref, Secret, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import { specAfter } from '../written-specs.ts';
import type { Decision } from '../decide.ts';
import type { RoutingNode } from '../routing/routing-model.ts';
import { isKnownSecret, isOtherSecret, rememberedDigest } from './other-secret.ts';
import { isFilledIn } from '../routing/filled-in.ts';
import { routingModules } from '../routing/routing-modules.ts';

/** One requirement that requests no longer have to satisfy, or have to satisfy from now on. */
export interface AccessDifference {
  /** The module or field, or the lists of one provider. */
  readonly of: string;
  readonly text: string;
  /** The class of control, by its usual name. Undefined: the control stays, and `text` is what changes inside it. */
  readonly control?: string;
  /** The entries that a list has in addition, where that is all. */
  readonly allows?: AddedEntries;
}

/** A list, by its path, and entries that are added to it. */
export interface AddedEntries {
  readonly list: string;
  readonly entries: readonly string[];
}

/** What it means that entries are added to a list. */
export function alsoAllows(of: string, list: string, entries: readonly string[]): AccessDifference {
  return { of, text: `\`${list}\` also allows ${entries.join(', ')}`, allows: { list, entries } };
}

/** Clients that only the later controls admit (`wider`), and that only the earlier ones admit (`narrower`). */
export interface ControlDifferences {
  readonly wider: readonly AccessDifference[];
  readonly narrower: readonly AccessDifference[];
}

/** What makes the access controls of a resource admit more clients after an update than before. */
export function widenedAccess(decision: Decision): readonly string[] {
  const { kind, actual, desired } = decision.pair;
  if (actual === undefined || desired === undefined) return [];
  const after = { kind, spec: specAfter(decision) };
  return controlDifferences({ kind, spec: actual.spec }, after, asText).wider.map(({ text }) => text);
}

/** What somebody has changed outside sluice so that more clients are admitted than by what was applied, and the plan leaves so. */
export function widenedOutside(decision: Decision, digest: SecretForm): readonly string[] {
  const { pair, compared } = decision;
  const { kind, actual, desired, entry } = pair;
  if (actual === undefined || desired === undefined || entry === undefined || entry.rebuilt !== undefined) return [];
  if (deciding(kind.fields).length === 0) return [];
  const own = ([name]: readonly [string, unknown]): boolean => compared.unmanagedFields[`/${name}`] !== 'ignored';
  const applied = {
    kind,
    spec: Object.fromEntries(Object.entries(entry.spec).filter(own)),
    isRemembered: true,
  } as const;
  const since = (spec: SpecObject): readonly string[] =>
    controlDifferences(applied, { kind, spec }, digest).wider.map(({ text }) => text);
  const outside = since(actual.spec);
  if (outside.length === 0) return [];
  const byPlan = widenedAccess(decision);
  return since(specAfter(decision)).filter((text) => outside.includes(text) && !byPlan.includes(text));
}

/** What it means that a secret changes with which clients sign. */
export function exchangedSecret(path: string): ControlDifferences {
  return {
    wider: [{ of: path, text: `\`${path}\` changes: signatures made with the new value are accepted` }],
    narrower: [{ of: path, text: `\`${path}\` changes: signatures made with the old value are refused` }],
  };
}

type Compared = Pick<RoutingNode, 'kind' | 'spec' | 'isRemembered' | 'applied' | 'filledIn'>;

/** Compares the controls of two specs of one kind. If one spec comes from state, secrets are compared by their digests. */
export function controlDifferences(before: Compared, after: Compared, digest: SecretForm): ControlDifferences {
  const form = before.isRemembered === true || after.isRemembered === true ? digest : asText;
  const found: Found = { wider: [], narrower: [], before, after, form, digest };
  const { kind } = before;
  for (const { name, field } of routingModules(kind).asking) {
    const old = before.spec[name];
    const young = after.spec[name];
    if (isInEffect(field, old) && isInEffect(field, young)) compareInside(field, old, young, [name], of(field, found));
    else if (isInEffect(field, old)) {
      const [other, wasBeside] = sameClass(kind, field.accessControl, name, before.spec, after.spec);
      if (other === undefined) continue;
      const { widens, narrows } = about(name, found);
      if (wasBeside === true) widens(`access control \`${name}\` no longer applies; only \`${other}\` still does`);
      else {
        widens(`access control \`${other}\` applies instead of \`${name}\`, and may allow other clients`);
        narrows(`access control \`${other}\` applies instead of \`${name}\``);
      }
    } else if (isInEffect(field, young)) {
      const { widens } = about(name, found);
      if (field.mayAnswer === true) widens(`\`${name}\` takes effect, and may forward requests or answer them itself`);
      for (const version of lowVersions(field, young))
        widens(`\`${name}.${version}\` may be lower than the default of the service`);
    }
  }
  for (const { name, field } of deciding(kind.fields)) {
    const old = before.spec[name] ?? null;
    if (field.is !== 'group' && old !== null) compareLeaf(field, old, after.spec[name] ?? null, [name], found);
  }
  compareGuests(kind, before.spec, after.spec, '', found);
  return found;
}

/** The fields of a resource itself that may decide who has access. */
const deciding = namedFieldsWhere((field) => field.is !== 'group' && field.widensWhen !== undefined);

/** The API does not describe what a changed filter refuses, so a change is reported once, as `wider`. */
function of(field: Group, { narrower, ...found }: Found): Found {
  return { ...found, narrower: field.accessControl === undefined && field.filter !== 'tls' ? [] : narrower };
}

interface Found {
  readonly wider: AccessDifference[];
  readonly narrower: AccessDifference[];
  readonly before: Compared;
  readonly after: Compared;
  /** How secrets are compared: by their texts, or by their digests if one of the specs comes from state. */
  readonly form: SecretForm;
  readonly digest: SecretForm;
}

/** What adds sentences about one module or field, or the lists of one provider. */
function about(of: string, { wider, narrower }: Pick<Found, 'wider' | 'narrower'>) {
  return {
    widens: (text: string) => void wider.push({ of, text }),
    narrows: (text: string) => void narrower.push({ of, text }),
  };
}

/** An access control of the same class that is in effect when another is removed, and whether it was in effect beside it. Under `documented`, two may be. */
function sameClass(
  { fields }: Kind,
  asks: AccessControl | undefined,
  leaving: string,
  before: SpecObject,
  after: SpecObject,
): readonly [name?: string, wasBeside?: boolean] {
  if (asks === undefined) return [];
  const others = namedFields(fields).flatMap(({ name, field }): [string, boolean][] => {
    const isOther = field.is === 'group' && field.accessControl === asks && name !== leaving;
    return isOther && isInEffect(field, after[name]) ? [[name, isInEffect(field, before[name])]] : [];
  });
  return others.find(([, wasBeside]) => !wasBeside) ?? others[0] ?? [];
}

interface Holder {
  readonly fields: Fields;
  readonly allowLists?: readonly string[];
}

function compareInside(
  holder: Holder,
  before: SpecObject,
  after: SpecObject,
  at: readonly string[],
  found: Found,
): void {
  for (const { name, field } of namedFields(holder.fields)) {
    const [old, young] = [before[name] ?? null, after[name] ?? null];
    const path = [...at, name];
    if (field.is !== 'group') compareLeaf(field, old, young, path, found);
    else if (isSpecObject(old) && isSpecObject(young)) compareInside(field, old, young, path, found);
    else if (isSpecObject(old) && field.lifecycle !== 'computed') {
      const shown = path.join('.');
      const { widens, narrows } = about(shown, found);
      widens(`the check \`${shown}\` no longer applies; another check applies instead`);
      narrows(`the check \`${shown}\` no longer applies`);
    } else if (isSpecObject(young) && hasStayingCheck(holder, before, after)) {
      const shown = path.join('.');
      about(shown, found).widens(`the check \`${shown}\` applies as well, and may allow other clients`);
    }
  }
  compareGuests(holder, before, after, `${at.join('.')}.`, found);
}

/** Whether one of several checks, such as a provider of oauth, is there before and after. */
function hasStayingCheck({ fields }: Holder, before: SpecObject, after: SpecObject): boolean {
  return namedFields(fields).some(
    ({ name, field }) => field.is === 'group' && isSpecObject(before[name]) && isSpecObject(after[name]),
  );
}

type PlainField = Exclude<Field, { is: 'group' }>;

function compareLeaf(field: PlainField, old: SpecValue, young: SpecValue, at: readonly string[], found: Found): void {
  if (old === young) return;
  const { wider, narrower, form } = found;
  const path = at.join('.');
  if (field.is === 'leaf' && field.presented === true && isExchanged(old, young, at, found)) {
    const exchanged = exchangedSecret(path);
    wider.push(...exchanged.wider);
    narrower.push(...exchanged.narrower);
  }
  if (field.widensWhen === undefined) return;
  const { widens, narrows } = about(path, found);
  const isSame = (): boolean => text(field, old, form) === text(field, young, form);
  switch (field.widensWhen) {
    case 'grows': {
      const [more, less] = [added(field, old, young, form), added(field, young, old, form)];
      if (more.length > 0) wider.push(alsoAllows(path, path, more));
      if (less.length > 0) narrows(`\`${path}\` no longer allows ${less.join(', ')}`);
      break;
    }
    case 'turned-on':
      if (old !== true && young === true) widens(`\`${path}\` is enabled`);
      if (old === true && young !== true) narrows(`\`${path}\` is disabled`);
      break;
    case 'lowered': {
      if (isSame() || areBothLeft(field, old, young, at, found)) break;
      const [before, after] = [versionOf(old), versionOf(young)];
      if (before === undefined || after === undefined) {
        const unknown = `the ${after === undefined ? 'new' : 'old'} value is unknown`;
        widens(`\`${path}\` may be lower than before, because ${unknown}`);
        narrows(`\`${path}\` may be higher than before, because ${unknown}`);
      } else if (after < before) widens(`\`${path}\` is lowered`);
      else narrows(`\`${path}\` is raised`);
      break;
    }
    case 'raised': {
      if (isSame() || areBothLeft(field, old, young, at, found)) break;
      const [before, after] = [limitOf(field, old, form), limitOf(field, young, form)];
      if (after === undefined) widens(`\`${path}\` may be higher than before, because the new value is unknown`);
      else if (before === undefined) widens(`\`${path}\` may be higher than before, because the old value is unknown`);
      else if (after > before) widens(`\`${path}\` is raised`);
      break;
    }
    case 'changes':
      if (isSame()) break;
      widens(`\`${path}\` changes, and the effect on access is unknown`);
      // The meaning of the list is unknown, but a new entry alone is not expected to refuse anyone.
      if (!Array.isArray(young) || added(field, young, old, form).length > 0) narrows(`\`${path}\` changes`);
  }
}

/** Whether a secret that clients present is another. Where the service hides it, the digest of what was applied counts. */
function isExchanged(old: SpecValue, young: SpecValue, at: readonly string[], found: Found): boolean {
  const [was, is] = [knownSecret(found.before, old, at), knownSecret(found.after, young, at)];
  return isOtherSecret(was, is, was === old && is === young ? found.form : found.digest);
}

function knownSecret({ applied }: Compared, value: SpecValue, at: readonly string[]): SpecValue {
  return isKnownSecret(value) ? value : (valueAt(applied, at) ?? value);
}

/** Whether neither manifest sets a field: what the service has filled in one, it will fill in the other. */
function areBothLeft(
  field: PlainField,
  old: SpecValue,
  young: SpecValue,
  at: readonly string[],
  found: Found,
): boolean {
  if (young === null) return isFilledIn(found.before, field, at);
  return old === null && isFilledIn(found.after, field, at);
}

/** Lists that together name who has access: with no entry, access is not restricted. */
function compareGuests(holder: Holder, before: SpecObject, after: SpecObject, prefix: string, found: Found): void {
  const { fields, allowLists: names = [] } = holder;
  if (names.length === 0) return;
  const { form, wider } = found;
  const all = (spec: SpecObject) => names.flatMap((name) => entries(spec[name]));
  const [wasOpen, isOpen] = [all(before).length === 0, all(after).length === 0];
  if (wasOpen && isOpen) return;
  const { widens, narrows } = about(prefix, found);
  if (isOpen) {
    const lists = names.map((name) => `\`${prefix}${name}\``).join(', ');
    widens(`${lists}: no entry is left, so access is not restricted`);
    return;
  }
  for (const name of names) {
    const [more, less] = [newGuests(fields, name, before, after, form), newGuests(fields, name, after, before, form)];
    if (wasOpen && more.length > 0) narrows(`\`${prefix}${name}\` allows only ${more.join(', ')}`);
    if (!wasOpen && more.length > 0) wider.push(alsoAllows(prefix, `${prefix}${name}`, more));
    if (less.length > 0) narrows(`\`${prefix}${name}\` no longer allows ${less.join(', ')}`);
  }
}

/** The entries of an allow list that admit clients whom none of the earlier lists admitted. */
function newGuests(fields: Fields, name: string, old: SpecObject, young: SpecObject, form: SecretForm): string[] {
  const field = fields[name];
  if (field?.is !== 'list') return [];
  const { coveredBy } = field;
  const isCovered = (entry: SpecValue): boolean => {
    if (coveredBy === undefined || typeof entry !== 'string') return false;
    const { list, of: wider } = coveredBy;
    return added(fields[list], old[list], [wider(entry)], form).length === 0;
  };
  const guests = entries(young[name]).filter((entry) => !isCovered(entry));
  return added(field, old[name], guests, form);
}

/** The entries of a list that mean none of the earlier ones, however they are spelled. */
function added(
  field: Field | undefined,
  old: SpecValue | undefined,
  young: SpecValue | undefined,
  form: SecretForm,
): string[] {
  if (field?.is !== 'list') return [];
  const meant = (item: SpecValue): string => JSON.stringify(canonical(field.of, item, form));
  const known = new Set(entries(old).map(meant));
  return entries(young).flatMap((entry) => (known.has(meant(entry)) ? [] : [shownText(entry)]));
}

function entries(value: SpecValue | undefined): readonly SpecValue[] {
  return Array.isArray(value) ? (value as readonly SpecValue[]) : [];
}

function shownText(item: SpecValue): string {
  if (item instanceof Ref) return item.to;
  if (item instanceof OutsideValue || item instanceof Secret) return item.toString();
  if (rememberedDigest(item) !== undefined) return '(value from the environment or a file)';
  return typeof item === 'string' ? item : JSON.stringify(item);
}

function text(field: PlainField, value: SpecValue, form: SecretForm): string {
  return JSON.stringify(canonical(field, value, form));
}

/** The value of a limit; undefined: left to the service, whose default is not described, or unknown. */
function limitOf(field: PlainField, value: SpecValue, form: SecretForm): number | undefined {
  const limit = canonical(field, value, form);
  return typeof limit === 'number' ? limit : undefined;
}

// The safe default of a service is not lower: older versions are deprecated (RFC 8996).
const leastSafeVersion = 1.2;

/** The fields of a module with a version below every safe default. */
function lowVersions({ fields }: Group, module: SpecObject): readonly string[] {
  return namedFields(fields).flatMap(({ name, field }) => {
    const version = field.is === 'leaf' && field.widensWhen === 'lowered' ? versionOf(module[name] ?? null) : undefined;
    return version !== undefined && version < leastSafeVersion ? [name] : [];
  });
}

/** A version such as 1.3; undefined: left to the service, or no version. */
function versionOf(value: SpecValue): number | undefined {
  return typeof value === 'string' && /^\d+\.\d+$/.test(value) ? Number(value) : undefined;
}
