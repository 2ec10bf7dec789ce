/*
 * What happens to each resource. A replacement changes the id that other resources refer to, and may replace
 * others too, so the decisions are repeated until none changes: `renewed` only grows, with the reason for each.
 *
 *   wanted   there   differs in                                 decision
 *   ------   -----   ----------------------------------------   ----------------------------------------------
 *   yes      no                                                 create
 *   yes      yes     nothing                                    none (or only the marker: update)
 *   yes      yes     fields the profile can change in place     update
 *   yes      yes     an immutable field, its parent's id        replace
 *   yes      yes     what the profile cannot change in place    replace; where it cannot be deleted: its parent
 *   yes      yes     nothing, but it is about to expire         replace
 *   yes      yes     (its parent is deleted or replaced)        replace, the old one without a request
 *   no       yes                                                delete; `retain`: forget; no delete call: its parent
 *   no       gone    (state alone remembers it)                 forget
 *
 * Where only its parent could be replaced, and that is unmanaged or not in this run, the change is an error.
 */
import { compare, noDifference, type Compared } from '../derive/compare.ts';
import { asText, canonical } from '../derive/canonical.ts';
import { canCarryMarker, makeMarker, markedFlags, markerField } from '../derive/marker.ts';
import { hasOwnPath, offers } from '../derive/wire/operations.ts';
import { isAtOrBelow, pointerOf } from '../derive/pointer.ts';
import { resolveRefs } from '../derive/references.ts';
import type { Kind, Profile } from '../kinds/kind.ts';
import { parentIn } from '../kinds/parent-in.ts';
import { Secret, type SpecObject, type SpecValue } from '../kinds/value.ts';
import type { Marker } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import { emptyList } from '../model/empty.ts';
import { recordsApplied } from '../model/marker-entry.ts';
import type { Lifecycle } from '../model/resource.ts';
import { isReplacement, type Action } from '../model/plan/plan.ts';
import type { Sliced } from '../model/sliced.ts';
import type { Entry } from '../model/state.ts';
import type { Match, PlanInput } from './input.ts';
import { renewalReason } from './renewal.ts';

/** What happens to one resource, before it is known how. */
export interface Decision {
  readonly pair: Match;
  readonly action: Action;
  readonly why: readonly string[];
  /** The desired spec with every known id in place; Refs that are left stand for ids to come. */
  readonly spec: SpecObject;
  readonly compared: Compared;
  readonly marker?: Marker | undefined;
  readonly markerDiffers: boolean;
  /** It is deleted or replaced together with this one. */
  readonly deletedWith?: Address;
  /** It is replaced because it expires soon or has expired. */
  readonly isRenewal?: true;
  /** Why there is no way to carry it out here, and what would make one. */
  readonly unsupported?: { readonly message: string; readonly hint: string };
}

/** The decisions of a plan, by address. */
export type Decisions = ReadonlyMap<Address, Decision>;

/** Decides for all resources together. */
export function* decide(pairs: readonly Match[], input: PlanInput): Sliced<Decisions> {
  const byAddress = new Map<Address, Match>();
  const addressOfId = new Map<string, Address>();
  for (const pair of pairs) {
    byAddress.set(pair.address, pair);
    const { actual, kind } = pair;
    if (actual !== undefined && input.kinds.within(kind.name).length > 0) addressOfId.set(actual.id, pair.address);
  }
  const renewed = new Map<Address, string>();
  // Parents before nested resources: a child follows the decision for its parent.
  const isNested = ({ kind }: Match): boolean => kind.within !== undefined;
  const ordered = [...pairs.filter((pair) => !isNested(pair)), ...pairs.filter(isNested)];
  for (;;) {
    const before = renewed.size;
    const decisions = new Map<Address, Decision>();
    const round = { input, byAddress, addressOfId, renewed, decisions };
    for (const pair of ordered) {
      yield;
      const decision = decideOne(pair, round);
      if (decision !== undefined) decisions.set(pair.address, decision);
    }
    for (const { pair, action, why } of decisions.values())
      if (isReplacement(action)) renewed.set(pair.address, why[0] ?? '');
    if (renewed.size === before) return decisions;
  }
}

interface Round {
  readonly input: PlanInput;
  readonly byAddress: ReadonlyMap<Address, Match>;
  /** Of what may have other resources inside. */
  readonly addressOfId: ReadonlyMap<string, Address>;
  /** Grows while deciding: what must be replaced, and why. */
  readonly renewed: Map<Address, string>;
  readonly decisions: Decisions;
}

function decideOne(pair: Match, round: Round): Decision | undefined {
  const { desired, actual, refsAndSecrets } = pair;
  if (desired === undefined) return decideUnwanted(pair, round);
  const { input } = round;
  const spec =
    refsAndSecrets.length === 0 ? desired.spec : resolveRefs(desired.spec, (address) => knownId(address, round));
  const wanted = markerFor(pair, input);
  const isMarked = sameMarker(wanted, actual?.marker);
  // What is there already is held once.
  const marker = isMarked ? actual?.marker : wanted;
  if (actual === undefined)
    return { pair, spec, action: 'create', why: [], compared: noDifference, marker, markerDiffers: false };

  const compared = compare(pair.kind.fields, spec, actual.spec, {
    entry: pair.entry !== undefined && recordsApplied(pair.entry) ? pair.entry : undefined,
    ignore: desired.lifecycle.ignore ?? [],
    digest: input.digest,
    profile: input.stack.profile,
    resendSecrets: input.resendSecrets === true,
  });
  const canMark = offers(pair.kind, input.stack.profile).update;
  // As if nothing had to be done, and with all its fields: V8 would give each copy that gains a field a hidden class of its own.
  const markerDiffers = canMark && !isMarked;
  const found: Decision = { pair, spec, action: 'none', why: emptyList, compared, marker, markerDiffers };
  const decision = withoutVerified(decideWanted(found, round));
  // A new instance has its own nonce.
  return isReplacement(decision.action) && marker !== undefined
    ? { ...decision, marker: { ...marker, n: '' } }
    : decision;
}

/** A secret that is written along with its module, or its resource, needs no warning that it could not be verified. */
function withoutVerified(decision: Decision): Decision {
  const { action, compared } = decision;
  if (compared.unverified.length === 0) return decision;
  const written = compared.changes.map(({ path }) => pointerOf(path.slice(0, 1)));
  const unverified = isReplacement(action)
    ? []
    : compared.unverified.filter((pointer) => !isAtOrBelow(pointer, written));
  return { ...decision, compared: { ...compared, unverified } };
}

function decideWanted(found: Decision, round: Round): Decision {
  const { pair, compared, spec } = found;
  const { profile } = round.input.stack;
  const lost = lostParent(pair, round);
  if (lost !== undefined)
    return { ...found, action: 'replace-delete-first', why: [removalText(lost)], deletedWith: lost.parent };
  const asked = round.renewed.get(pair.address);
  const fixed = compared.changes
    .filter(({ immutable }) => immutable)
    .map(({ path }) => `\`${path.join('.')}\` cannot be changed in place`);
  const stuck = whyNotInPlace(pair.kind, profile, compared);
  const due = renewalReason(pair, round.input.now);
  const own = [due, ...fixed, stuck].filter((reason) => reason !== undefined);
  if (own.length === 0 && asked === undefined) {
    if (pair.adopted === true) return { ...found, action: 'adopt', why: ['becomes managed by this stack'] };
    return compared.changes.length > 0 || found.markerDiffers ? { ...found, action: 'update' } : found;
  }
  const why = own.length > 0 || asked === undefined ? own : [asked];
  const replaced = { ...found, why, ...(due === undefined ? {} : { isRenewal: true as const }) };
  if (!offers(pair.kind, profile).delete) {
    const because = `the plan changes ${pair.address}, but ${stuck ?? why[0] ?? ''}`;
    return { ...replaced, ...deletedWithParent(pair, because, round), action: 'replace-delete-first' };
  }
  return { ...replaced, action: clashesWithItself(pair, spec) ? 'replace-delete-first' : 'replace-create-first' };
}

function decideUnwanted(pair: Match, round: Round): Decision | undefined {
  const { input } = round;
  const { actual } = pair;
  const named = input.targets?.includes(pair.address) === true;
  const lost = lostParent(pair, round);
  const isAsked = (input.desired.complete || named) && input.leave?.has(pair.address) !== true;
  if (actual === undefined || (!isAsked && lost === undefined)) return undefined;
  const base = { pair, spec: actual.spec, compared: noDifference, markerDiffers: false };
  const why = [whyUnwanted(pair, input)];
  if (lost !== undefined) {
    const message = `${removalText(lost)}, but this plan skips the parent`;
    const unsupported = {
      message,
      hint: `include ${lost.parent} in the plan (--target ${lost.parent}), or plan the whole stack`,
    };
    const isPossible = isAsked || lost.removal === 'deleted';
    return { ...base, action: 'delete', why, deletedWith: lost.parent, ...(isPossible ? {} : { unsupported }) };
  }
  if (isRetained(pair, input.stack.profile)) {
    const markerDiffers = actual.marker !== undefined;
    return { ...base, action: 'forget', why: [...why, whyReleased(pair)], markerDiffers };
  }
  if (offers(pair.kind, input.stack.profile).delete) return { ...base, action: 'delete', why };
  const because = `the plan deletes ${pair.address}, and the API profile ${input.stack.profile} does not support deleting ${pair.kind.name}`;
  return { ...base, ...deletedWithParent(pair, because, round), action: 'delete', why };
}

function whyReleased({ entry }: Match): string {
  return entry?.adopting === true
    ? 'the adoption of the resource was not completed'
    : 'lifecycle.on_remove is retain, so the resource stays in the account';
}

function whyUnwanted({ entry, cleanup }: Match, { destroying }: PlanInput): string {
  if (cleanup === 'duplicate') return 'duplicate: the account has another resource with this address, which is kept';
  if (cleanup === 'deposed') return 'deposed: the resource was already replaced, and the replacement exists';
  if (destroying === true) return 'destroy deletes every resource of this stack';
  return `not in the manifests${lastSourceText(entry)}`;
}

/** In words: where a resource was last defined in the manifests, if that is known. */
export function lastSourceText(entry: Entry | undefined): string {
  return entry?.source === undefined ? '' : `, last defined at ${entry.source}`;
}

/** The address of the parent of an existing resource, if this stack manages it. */
function parentAddressOf({ actual }: Match, { addressOfId }: Round): Address | undefined {
  return actual?.parent === undefined ? undefined : addressOfId.get(actual.parent);
}

interface LostParent {
  readonly parent: Address;
  readonly removal: 'replaced' | 'deleted';
}

function lostParent(pair: Match, round: Round): LostParent | undefined {
  const parent = parentAddressOf(pair, round);
  if (parent === undefined) return undefined;
  if (round.renewed.has(parent)) return { parent, removal: 'replaced' };
  return round.decisions.get(parent)?.action === 'delete' ? { parent, removal: 'deleted' } : undefined;
}

function removalText({ parent, removal }: LostParent): string {
  return `the parent ${parent} is ${removal}`;
}

/** What cannot be deleted alone is deleted together with its parent, which is replaced for it; a parent that cannot be replaced makes it an error. */
function deletedWithParent(pair: Match, because: string, round: Round): Pick<Decision, 'deletedWith' | 'unsupported'> {
  const { kind, address } = pair;
  const parent = parentAddressOf(pair, round);
  const unsupported = (message: string, hint: string) => ({ unsupported: { message, hint } });
  if (parent === undefined)
    return unsupported(
      `the API profile ${round.input.stack.profile} does not support changing or deleting ${kind.name} inside an unmanaged resource`,
      `set api.profile: completed if the service supports it, or change ${address} outside sluice`,
    );
  if (round.byAddress.get(parent)?.desired !== undefined) {
    round.renewed.set(parent, because);
    return { deletedWith: parent };
  }
  return round.decisions.get(parent)?.action === 'forget'
    ? unsupported(
        `${because}; the parent ${parent} is only removed from state`,
        `set lifecycle: {on_remove: retain} on ${address} too and apply, then remove both manifests`,
      )
    : unsupported(
        `${because}; the parent would have to be replaced, but this plan skips the parent`,
        `include ${parent} in the plan (--target ${parent}), or plan the whole stack`,
      );
}

/** The id that an address will still have when this plan is carried out. */
function knownId(address: Address, { byAddress, renewed, input }: Round): string | undefined {
  if (renewed.has(address)) return undefined;
  const pair = byAddress.get(address);
  return pair === undefined ? input.account.ours.get(address)?.id : pair.actual?.id;
}

/** Why the profile cannot carry out these changes without a replacement; undefined when it can. */
function whyNotInPlace(kind: Kind, profile: Profile, { changes }: Compared): string | undefined {
  if (changes.length === 0 || offers(kind, profile).update) return undefined;
  const names = [...new Set(changes.map(({ path }) => String(path[0])))];
  const stuck = names.filter((name) => {
    const field = kind.fields[name];
    return field?.is !== 'group' || !hasOwnPath(field, profile);
  });
  return stuck.length === 0
    ? undefined
    : `the API profile ${profile} does not support updating ${stuck.map((name) => `\`${name}\``).join(', ')}`;
}

/** Whether old and new cannot exist side by side, because both use a value that must be unique in the parent or account. */
function clashesWithItself({ kind, actual }: Match, spec: SpecObject): boolean {
  const staysAtHome = parentIn(kind, spec) === actual?.parent;
  return kind.unique.some(({ field: name, scope }) => {
    const field = kind.fields[name];
    if (field === undefined || (scope === 'parent' && !staysAtHome)) return false;
    const values = (value: SpecValue | undefined) =>
      [canonical(field, value, asText)].flat().map((item) => JSON.stringify(item));
    const before = new Set(values(actual?.spec[name]).filter((value) => value !== 'null'));
    return values(spec[name]).some((value) => before.has(value));
  });
}

/** The marker the resource should carry; undefined when it can or shall carry none. */
function markerFor({ kind, desired, actual, entry, address }: Match, { stack }: PlanInput): Marker | undefined {
  const field = markerField(kind);
  if (desired === undefined || field === undefined || !stack.marker) return undefined;
  const value = desired.spec[field];
  const text = value instanceof Secret ? value.reveal() : value;
  if (typeof text === 'string' && !canCarryMarker(text)) return undefined;
  const ours = actual?.marker?.s === `${stack.name}/${stack.id}` ? actual.marker.n : undefined;
  return makeMarker(stack, address, flagsOf(kind, desired.lifecycle), entry?.nonce ?? ours ?? '');
}

/** Protection and retention as the manifest has them now. */
export function flagsOf(kind: Kind, lifecycle: Lifecycle): { readonly protect: boolean; readonly retain: boolean } {
  const protect = lifecycle.protect ?? kind.protectedBecause !== undefined;
  return { protect, retain: lifecycle.on_remove === 'retain' };
}

/** Whether a resource was last set to be retained when its manifest is removed, or was made elsewhere and is not adopted yet; its duplicates and old instances never are. State is newer than a marker that cannot be written again (decisions/0008, decisions/0032). */
export function isRetained(pair: Match, profile: Profile): boolean {
  const { entry, cleanup } = pair;
  if (cleanup !== undefined) return false;
  return entry?.retain === true || entry?.adopting === true || markerAsKnown(pair, profile)?.p.includes('r') === true;
}

/** The marker of a resource, with the flags that state has where the marker cannot be written again. */
export function markerAsKnown({ kind, entry, actual }: Match, profile: Profile): Marker | undefined {
  const marker = actual?.marker;
  if (marker === undefined || entry === undefined || offers(kind, profile).update) return marker;
  return { ...marker, p: markedFlags(entry) };
}

/** Whether a marker is there just as it should be; flags are part of it. */
function sameMarker(wanted: Marker | undefined, there: Marker | undefined): boolean {
  if (wanted === undefined || there === undefined) return wanted === there;
  return wanted.s === there.s && wanted.a === there.a && wanted.p === there.p && wanted.n === there.n;
}
