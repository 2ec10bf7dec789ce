/*
 * Three values of every field decide what a plan does: what the manifest wants (desired), what the service
 * shows (actual), and what was last applied (applied; unknown when state is gone).
 *
 *   desired      actual      default of the field       outcome
 *   ---------    --------    -----------------------    ------------------------------------------------------
 *   set          same        any                        nothing
 *   set          other       any                        a change
 *   left out     default     known                      nothing
 *   left out     other       known                      a change back to the default
 *   left out     filled in   known                      nothing: the answer to our own write showed the same
 *   left out     any         unknown, applied set it    reset: a change back to whatever the service picks
 *   left out     any         unknown                    unmanagedFields: the service's value stands
 *   any          any         (under `ignore`)           unmanagedFields
 *   left out     as before   (it was not cleared)       unmanagedFields: it is not asked for twice
 *   any          other       (not in the API profile)   unmanagedFields: no request may set it
 *
 * The reason is `changed` when desired differs from applied, `drifted` when actual does, `both`, or `unknown`.
 * Secrets are special (decisions/0035): what cannot be read back is judged by the digest of what was applied.
 */
import { namedFieldsWhere } from '../kinds/named-fields.ts';
import type { Dict, Field, Fields, Leaf, Profile } from '../kinds/kind.ts';
import { isSpecObject, Secret, type Path, type SpecObject, type SpecValue } from '../kinds/value.ts';
import type { FieldChange, Reason, UnmanagedFields, UnmanagedReason } from '../model/plan/plan.ts';
import type { Entry, StateValue } from '../model/state.ts';
import { asText, isUnsetValue, semanticEquals, normalize } from './canonical.ts';
import { isMask } from './mask.ts';
import { isAtOrBelow, pointerOf } from './pointer.ts';
import { isAsFilledIn, isLeftOut } from './stored/filled-in-limits.ts';
import { isRewritten, type RewrittenText } from './stored/rewritten-texts.ts';
import { fromState } from './stored/from-state.ts';
import { mayUse } from './wire/operations.ts';

/** What a comparison found. */
export interface Compared {
  readonly changes: readonly FieldChange[];
  /** Fields left as they are, by pointer, with what holds them. */
  readonly unmanagedFields: UnmanagedFields;
  /** Pointers of secrets that cannot be read and of which nothing is remembered. */
  readonly unverified: readonly string[];
}

/** What a comparison needs to know beside the two specs. */
export interface CompareOptions {
  /** What state has of the resource; undefined when it has nothing. */
  readonly entry: (Pick<Entry, 'spec'> & Partial<Entry>) | undefined;
  /** Pointers that the manifest wants left alone. */
  readonly ignore: readonly string[];
  readonly digest: (text: string) => string;
  /** The profile of the service; without it, every field can be written. */
  readonly profile?: Profile;
  /** Write secrets that cannot be verified. */
  readonly resendSecrets?: boolean;
}

interface Findings {
  readonly changes: FieldChange[];
  readonly unmanagedFields: Record<string, UnmanagedReason>;
  readonly unverified: string[];
}

interface Run {
  readonly options: CompareOptions;
  readonly findings: Findings;
}

interface Spot {
  readonly path: Path;
  readonly immutable: boolean;
  readonly applied: StateValue | undefined;
  /** What requests have sent whose outcome is not recorded. */
  readonly attempted: readonly (StateValue | undefined)[];
  /** Of an entry of a mapping, which is recorded by its name as names are compared. */
  readonly rewritten?: RewrittenText | undefined;
}

/** Compares what is wanted of a resource with what is there, field by field. Refs that stand for known ids must be resolved before. */
export function compare(fields: Fields, desired: SpecObject, actual: SpecObject, options: CompareOptions): Compared {
  const findings: Findings = { changes: [], unmanagedFields: {}, unverified: [] };
  const { spec: applied, attempted = [] } = options.entry ?? {};
  compareFields(fields, desired, actual, { path: [], immutable: false, applied, attempted }, { options, findings });
  const { changes, unmanagedFields, unverified } = findings;
  const isSame = changes.length === 0 && unverified.length === 0 && Object.keys(unmanagedFields).length === 0;
  return isSame ? noDifference : findings;
}

/** A comparison that found nothing, as most do: a plan of 10,000 resources holds it once. */
export const noDifference: Compared = { changes: [], unmanagedFields: {}, unverified: [] };

const comparedFields = namedFieldsWhere(({ lifecycle }) => lifecycle !== 'computed');

function compareFields(fields: Fields, desired: SpecObject, actual: SpecObject, at: Spot, run: Run): void {
  for (const { name, field } of comparedFields(fields)) {
    const wanted = desired[name] ?? null;
    const there = actual[name] ?? null;
    if (!isAsWanted(field, wanted, there) || run.options.ignore.length > 0)
      compareField(field, wanted, there, spotInside(at, name, field), run);
  }
}

/** Whether nothing can be found in a field, as in most: none is set, or both mean the same and the manifest decides it. */
function isAsWanted(field: Field, wanted: SpecValue, there: SpecValue): boolean {
  if (field.is === 'group' || field.is === 'dict') return wanted === null && there === null;
  if (field.is === 'leaf' && isLeftToService(field, wanted)) return false;
  return semanticEquals(field, wanted, there, asText);
}

function spotInside({ path, immutable, applied, attempted }: Spot, name: string, field: Field): Spot {
  const valueIn = (spec: StateValue | undefined) => (isSpecObject(spec) ? spec[name] : undefined);
  return {
    path: [...path, name],
    immutable: immutable || field.lifecycle === 'immutable',
    applied: valueIn(applied),
    attempted: attempted.length === 0 ? attempted : attempted.map(valueIn),
  };
}

/** Whether a value that is not set means a default that nobody knows. */
function isLeftToService(leaf: Leaf, value: SpecValue): boolean {
  return leaf.default === undefined && isUnsetValue(leaf, value);
}

function compareField(field: Field, desired: SpecValue, actual: SpecValue, spot: Spot, run: Run): void {
  const { options, findings } = run;
  if (options.profile !== undefined && !mayUse(options.profile, field.since)) {
    if (!semanticEquals(field, desired, actual, asText))
      findings.unmanagedFields[pointerOf(spot.path)] = 'not-in-profile';
  } else if (options.ignore.length > 0 && isAtOrBelow(pointerOf(spot.path), options.ignore)) {
    findings.unmanagedFields[pointerOf(spot.path)] = 'ignored';
  } else if (field.is === 'leaf') {
    compareLeaf(field, desired, actual, spot, run);
  } else if (field.is === 'group' && isSpecObject(desired) && isSpecObject(actual)) {
    compareFields(field.fields, desired, actual, spot, run);
  } else if (
    field.is === 'dict' &&
    ((isSpecObject(desired) && isSpecObject(actual)) || ignoresInside(spot.path, options))
  ) {
    compareDict(field, entriesOf(desired), entriesOf(actual), spot, run);
  } else if (!semanticEquals(field, desired, actual, asText)) {
    record(field, desired, actual, spot, run);
  }
}

function ignoresInside(path: Path, { ignore }: CompareOptions): boolean {
  return ignore.some((other) => other.startsWith(`${pointerOf(path)}/`));
}

function entriesOf(dict: SpecValue): SpecObject {
  return isSpecObject(dict) ? dict : {};
}

function compareLeaf(leaf: Leaf, desired: SpecValue, actual: SpecValue, spot: Spot, run: Run): void {
  const { options, findings } = run;
  if (isLeftToService(leaf, desired)) {
    const weSetIt = leaf.defaultsToTime !== true && !isUnsetValue(leaf, spot.applied);
    if (!weSetIt) findings.unmanagedFields[pointerOf(spot.path)] = 'unknown-default';
    else if (!isUnsetValue(leaf, actual)) record(leaf, null, actual, spot, run);
  } else if (!semanticEquals(leaf, desired, actual, asText)) {
    const pointer = pointerOf(spot.path);
    const { filledIn, rewrittenTexts, unclearedFields } = options.entry ?? {};
    if (isLeftOut(leaf, desired) && isAsFilledIn(leaf, actual, filledIn?.[pointer])) return;
    if (isRewritten(leaf, desired, actual, rewrittenTexts?.[pointer], options.digest)) return;
    const kept = unclearedFields?.[pointer];
    const keptForm = typeof kept === 'string' ? asText : options.digest;
    if (kept !== undefined && isUnsetValue(leaf, desired) && semanticEquals(leaf, actual, kept, keptForm))
      findings.unmanagedFields[pointer] = 'not-cleared';
    else if (leaf.secret === true && desired instanceof Secret) compareSecret(leaf, desired, actual, spot, run);
    else record(leaf, desired, actual, spot, run);
  }
}

function compareSecret(leaf: Leaf, desired: Secret, actual: SpecValue, spot: Spot, run: Run): void {
  const { options, findings } = run;
  const pointer = pointerOf(spot.path);
  const read = actual instanceof Secret ? actual.reveal() : '';
  const returned = options.entry?.returnedSecrets?.[pointer];
  const unreadable = isMask(read) || (returned !== undefined && options.digest(read) === returned);
  if (!unreadable) {
    record(leaf, desired, actual, spot, run);
  } else if (isUnsetValue(leaf, spot.applied)) {
    const isNew = options.entry !== undefined && options.entry.unverifiedSecrets?.includes(pointer) !== true;
    if (isNew || options.resendSecrets === true) record(leaf, desired, null, spot, run, !isNew || read !== '');
    else findings.unverified.push(pointer);
  } else if (!semanticEquals(leaf, desired, spot.applied, options.digest)) {
    findings.changes.push({
      path: spot.path,
      before: actual ?? undefined,
      after: desired,
      reason: 'changed',
      immutable: spot.immutable,
      secret: true,
      unreadable: true,
    });
  }
}

/** Entry by entry, so that a reviewer sees the header that changed and not the whole list. */
function compareDict(dict: Dict, desired: SpecObject, actual: SpecObject, spot: Spot, run: Run): void {
  const { options, findings } = run;
  const spelled = (entries: SpecObject) =>
    new Map(Object.entries(entries).map(([key, value]) => [String(normalize(dict.key, key)), { key, value }]));
  const [wanted, there] = [spelled(desired), spelled(actual)];
  const recorded = (entries: StateValue | undefined) =>
    isSpecObject(entries) ? spelled(entries) : new Map<string, { value: SpecValue }>();
  const [before, sent] = [recorded(spot.applied), spot.attempted.map(recorded)];
  const entry: Leaf = { ...dict.of, default: undefined };
  const ignored = options.ignore.map((pointer) => entryPointer(dict, spot.path, pointer));
  const spelling = new Map([...there, ...wanted].map(([key, entry]) => [key, entry.key]));
  for (const [key, written] of [...spelling].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [want, has] = [wanted.get(key), there.get(key)];
    if (want !== undefined && has !== undefined && semanticEquals(entry, want.value, has.value, asText)) continue;
    const path = [...spot.path, written];
    const compared = pointerOf([...spot.path, key]);
    const rewritten = options.entry?.rewrittenTexts?.[compared];
    if (isRewritten(entry, want?.value ?? null, has?.value ?? null, rewritten, options.digest)) continue;
    if (isAtOrBelow(compared, ignored)) {
      findings.unmanagedFields[pointerOf(path)] = 'ignored';
      continue;
    }
    const applied = before.get(key)?.value as StateValue | undefined;
    const attempted = sent.map((one) => one.get(key)?.value as StateValue | undefined);
    const at = { ...spot, path, applied, attempted, rewritten };
    record(entry, want?.value ?? null, has?.value ?? null, at, run);
  }
}

/** A pointer to an entry of a dict, its key spelled as keys are compared; any other pointer as it is. */
function entryPointer(dict: Dict, path: Path, pointer: string): string {
  const above = pointerOf(path);
  return pointer.startsWith(`${above}/`) ? above + String(normalize(dict.key, pointer.slice(above.length))) : pointer;
}

function record(
  field: Field,
  desired: SpecValue,
  actual: SpecValue,
  spot: Spot,
  { options, findings }: Run,
  unreadable = false,
): void {
  const reason = reasonOf(field, desired, actual, spot, options);
  findings.changes.push({
    path: spot.path,
    before: actual ?? undefined,
    after: desired ?? undefined,
    reason,
    ...(reason === 'both' && spot.applied !== undefined ? { applied: fromState(spot.applied) } : {}),
    immutable: spot.immutable,
    secret: field.is === 'leaf' && (field.secret === true || desired instanceof Secret || actual instanceof Secret),
    ...(unreadable ? { unreadable } : {}),
  });
}

function reasonOf(field: Field, desired: SpecValue, actual: SpecValue, spot: Spot, options: CompareOptions): Reason {
  if (options.entry === undefined) return 'unknown';
  const changed = !semanticEquals(field, desired, spot.applied, options.digest);
  const isKnown = [spot.applied, ...spot.attempted].some((one) => semanticEquals(field, actual, one, options.digest));
  const drifted = !isKnown && !isShownAsApplied(field, actual, spot, options);
  if (changed && drifted) return 'both';
  // Where all three mean the same, as an empty header and none do, only the manifest can have asked for it.
  return drifted ? 'drifted' : 'changed';
}

/** Whether the service shows what it showed when the text was applied. */
function isShownAsApplied(field: Field, actual: SpecValue, spot: Spot, options: CompareOptions): boolean {
  const pair = spot.rewritten ?? options.entry?.rewrittenTexts?.[pointerOf(spot.path)];
  if (field.is !== 'leaf' || typeof spot.applied !== 'string') return false;
  return isRewritten(field, spot.applied, actual, pair, options.digest);
}
