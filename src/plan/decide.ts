/*
 * What happens to each resource. One resource made anew changes the ids that others hold, and may take others
 * along, so the decisions are repeated until none changes: `renewed` only grows, and holds why.
 *
 *   wanted   there   differs in                                 decision
 *   ------   -----   ----------------------------------------   ----------------------------------------------
 *   yes      no                                                 create
 *   yes      yes     nothing                                    none (or only the marker: update)
 *   yes      yes     fields the profile can change in place     update
 *   yes      yes     an immutable field, its parent's id        replace
 *   yes      yes     what the profile cannot change in place    replace; where it cannot be deleted: its parent
 *   no       yes                                                delete; `retain`: forget; no delete call: its parent
 *   no       gone    (state alone remembers it)                 forget
 */
import { compare, type Compared } from '../derive/compare.ts';
import { canonical } from '../derive/canonical.ts';
import { makeMarker, markerField } from '../derive/marker.ts';
import { hasOwnPath, offers } from '../derive/operations.ts';
import { resolveRefs } from '../derive/references.ts';
import type { Kind, Profile } from '../kinds/kind.ts';
import { Ref, type SpecObject, type SpecValue } from '../kinds/value.ts';
import type { Marker } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import type { Action } from '../model/plan.ts';
import type { Pair, PlanInput } from './input.ts';

/** What happens to one resource, before it is known how. */
export interface Decision {
  readonly pair: Pair;
  readonly action: Action;
  readonly why: readonly string[];
  /** The desired spec with every known id in place; Refs that are left stand for ids to come. */
  readonly spec: SpecObject;
  readonly compared: Compared;
  readonly marker?: Marker;
  readonly markerDiffers: boolean;
  /** The marker cannot be written here and is kept in state alone. */
  readonly markerInState: boolean;
  /** It goes, or is made anew, because this one does. */
  readonly withParent?: Address;
}

/** Decides for all resources together. */
export function decide(pairs: readonly Pair[], input: PlanInput): Map<Address, Decision> {
  const byAddress = new Map(pairs.map((pair) => [pair.address, pair]));
  const addressOfId = new Map(
    pairs.flatMap(({ address, actual }): [string, Address][] => (actual === undefined ? [] : [[actual.id, address]])),
  );
  const renewed = new Map<Address, string>();
  let decisions = new Map<Address, Decision>();
  for (let size = -1; size < renewed.size;) {
    size = renewed.size;
    const round = { input, byAddress, addressOfId, renewed, decisions: new Map<Address, Decision>() };
    // Parents before what lives inside them: a child follows its parent's decision.
    const ordered = [...pairs].sort(
      (a, b) => Number(a.kind.within !== undefined) - Number(b.kind.within !== undefined),
    );
    for (const pair of ordered) {
      const decision = decideOne(pair, round);
      if (decision !== undefined) round.decisions.set(pair.address, decision);
    }
    for (const { pair, action, why } of round.decisions.values())
      if (isReplace(action)) renewed.set(pair.address, why[0] ?? '');
    decisions = round.decisions;
  }
  return decisions;
}

/** Whether an action makes the resource anew. */
export function isReplace(action: Action): boolean {
  return action === 'replace-create-first' || action === 'replace-delete-first';
}

interface Round {
  readonly input: PlanInput;
  readonly byAddress: ReadonlyMap<Address, Pair>;
  readonly addressOfId: ReadonlyMap<string, Address>;
  /** Grows while deciding: what must be made anew, and why. */
  readonly renewed: Map<Address, string>;
  readonly decisions: Map<Address, Decision>;
}

const same: Compared = { changes: [], held: {}, unverified: [] };

function decideOne(pair: Pair, round: Round): Decision | undefined {
  const { desired, actual } = pair;
  if (desired === undefined) return decideUnwanted(pair, round);
  const { input } = round;
  const spec = resolveRefs(desired.spec, (address) => knownId(address, round));
  const marker = markerFor(pair, input);
  const base = { pair, spec, ...(marker === undefined ? {} : { marker }), markerDiffers: false, markerInState: false };
  if (actual === undefined) return { ...base, action: 'create', why: [], compared: same };

  const compared = compare(pair.kind.fields, spec, actual.spec, {
    applied: pair.entry?.spec,
    ...(pair.entry?.echoed === undefined ? {} : { echoed: pair.entry.echoed }),
    ignore: desired.lifecycle.ignore ?? [],
    digest: input.digest,
    resendSecrets: input.resendSecrets === true,
  });
  const differs = !sameMarker(marker, actual.marker);
  const canMark = offers(pair.kind, input.stack.profile).update;
  const found = { ...base, compared, markerDiffers: differs && canMark, markerInState: differs && !canMark };
  const decision = decideWanted(found, round);
  // A new life has a nonce of its own.
  return isReplace(decision.action) && marker !== undefined ? { ...decision, marker: { ...marker, n: '' } } : decision;
}

function decideWanted(found: Omit<Decision, 'action' | 'why'>, round: Round): Decision {
  const { pair, compared, spec } = found;
  const { profile } = round.input.stack;
  const parent = parentOf(pair);
  if (parent !== undefined && round.renewed.has(parent))
    return {
      ...found,
      action: 'replace-delete-first',
      why: [`${parent} is made anew, and it lives inside`],
      withParent: parent,
    };
  const asked = round.renewed.get(pair.address);
  const fixed = compared.changes
    .filter(({ immutable }) => immutable)
    .map(({ path }) => `\`${path.join('.')}\` cannot change in place`);
  const stuck = whyNotInPlace(pair.kind, profile, compared);
  if (fixed.length === 0 && asked === undefined && stuck === undefined) {
    const changes = compared.changes.length > 0 || found.markerDiffers;
    const action = pair.adopted === true ? 'adopt' : changes ? 'update' : 'none';
    return { ...found, action, why: pair.adopted === true ? ['lifecycle.adopt takes it over'] : [] };
  }
  const own = [...fixed, ...(stuck === undefined ? [] : [stuck])];
  const why = own.length > 0 || asked === undefined ? own : [asked];
  if (parent !== undefined && !offers(pair.kind, profile).delete) {
    round.renewed.set(parent, `${pair.address} must change, and ${stuck ?? why[0] ?? ''}`);
    return { ...found, action: 'replace-delete-first', why, withParent: parent };
  }
  return { ...found, action: clashesWithItself(pair, spec) ? 'replace-delete-first' : 'replace-create-first', why };
}

function decideUnwanted(pair: Pair, round: Round): Decision | undefined {
  const { input } = round;
  const { actual, entry } = pair;
  const named = input.targets?.includes(pair.address) === true;
  const parent = actual?.parent === undefined ? undefined : round.addressOfId.get(actual.parent);
  const parentAction = parent === undefined ? undefined : round.decisions.get(parent)?.action;
  const goes =
    parentAction === 'delete' ||
    (parent !== undefined && round.renewed.has(parent)) ||
    (parentAction !== undefined && isReplace(parentAction));
  if (actual === undefined || (!input.desired.whole && !named && !goes)) return undefined;
  const base = { pair, spec: actual.spec, compared: same, markerDiffers: false, markerInState: false };
  const last = entry?.source === undefined ? '' : `, last at ${entry.source}`;
  const why = [`not in the manifests${last}`];
  const retain = entry?.retain === true || actual.marker?.p.includes('r') === true;
  if (retain && !goes)
    return {
      ...base,
      action: 'forget',
      why: [...why, 'lifecycle.on_remove was retain'],
      markerDiffers: actual.marker !== undefined,
    };
  if (goes) return { ...base, action: 'delete', why, ...(parent === undefined ? {} : { withParent: parent }) };
  if (!offers(pair.kind, input.stack.profile).delete && parent !== undefined) {
    round.renewed.set(
      parent,
      `${pair.address} must go, and the profile ${input.stack.profile} offers no delete of ${pair.kind.name}`,
    );
    return { ...base, action: 'delete', why, withParent: parent };
  }
  return { ...base, action: 'delete', why };
}

/** The id that an address will still have when this plan is carried out. */
function knownId(address: Address, { byAddress, renewed, input }: Round): string | undefined {
  if (renewed.has(address)) return undefined;
  const pair = byAddress.get(address);
  return pair === undefined ? input.account.ours.get(address)?.id : pair.actual?.id;
}

/** The address of what a wanted nested resource lives in. */
function parentOf({ kind, desired }: Pair): Address | undefined {
  const parent = kind.within === undefined ? undefined : desired?.spec[kind.within.by];
  return parent instanceof Ref ? parent.to : undefined;
}

/** Why the profile cannot carry out these changes without making the resource anew; undefined when it can. */
function whyNotInPlace(kind: Kind, profile: Profile, { changes }: Compared): string | undefined {
  if (changes.length === 0 || offers(kind, profile).update) return undefined;
  const names = [...new Set(changes.map(({ path }) => String(path[0])))];
  const stuck = names.filter((name) => {
    const field = kind.fields[name];
    return field?.is !== 'group' || !hasOwnPath(field, profile);
  });
  return stuck.length === 0
    ? undefined
    : `the profile ${profile} offers no update of ${stuck.map((name) => `\`${name}\``).join(', ')}`;
}

/** Whether old and new cannot stand side by side, because they hold a value that only one may hold. */
function clashesWithItself({ kind, actual }: Pair, spec: SpecObject): boolean {
  return kind.unique.some(({ field: name }) => {
    const field = kind.fields[name];
    if (field === undefined) return false;
    const values = (value: SpecValue | undefined) =>
      [canonical(field, value, (text) => text)].flat().map((item) => JSON.stringify(item));
    const before = new Set(values(actual?.spec[name]).filter((value) => value !== 'null'));
    return values(spec[name]).some((value) => before.has(value));
  });
}

/** The marker the resource should carry; undefined when it can or shall carry none. */
function markerFor({ kind, desired, actual, entry, address }: Pair, { stack }: PlanInput): Marker | undefined {
  const field = markerField(kind);
  if (desired === undefined || field === undefined || !stack.marker) return undefined;
  const text = desired.spec[field];
  if (typeof text === 'string' && text !== '' && !text.trimStart().startsWith('{')) return undefined;
  const ours = actual?.marker?.s === `${stack.name}/${stack.id}` ? actual.marker.n : undefined;
  return makeMarker(stack, address, flagsOf(kind, desired.lifecycle), entry?.nonce ?? ours ?? '');
}

/** Protection and retention as the manifest has them now. */
export function flagsOf(
  kind: Kind,
  lifecycle: { readonly protect?: boolean; readonly on_remove?: string },
): { readonly protect: boolean; readonly retain: boolean } {
  return {
    protect: lifecycle.protect ?? kind.protectedBecause !== undefined,
    retain: lifecycle.on_remove === 'retain',
  };
}

/** Whether a marker is there just as it should be; flags are part of it. */
function sameMarker(wanted: Marker | undefined, there: Marker | undefined): boolean {
  if (wanted === undefined || there === undefined) return wanted === there;
  return wanted.s === there.s && wanted.a === there.a && wanted.p === there.p && wanted.n === there.n;
}
