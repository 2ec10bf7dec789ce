import type { Actual, Marker } from '../model/actual.ts';
import { placeText } from '../diagnostics/diagnostic.ts';
import type { Address } from '../model/address.ts';
import { emptyList } from '../model/empty.ts';
import { byAddress } from '../model/group-by.ts';
import { atOnce, mapSliced, type Sliced } from '../model/sliced.ts';
import { sortByAddress } from '../model/sort-by-address.ts';
import { present } from '../model/present.ts';
import type { Stack } from '../model/stack.ts';
import type { Entry } from '../model/state.ts';
import type { Desired } from '../model/resource.ts';
import { type Blocked, type Change, type FieldChange, type Plan, isReplacement } from '../model/plan/plan.ts';
import { fieldAt } from '../derive/field-at.ts';
import type { SpecValue } from '../kinds/value.ts';
import { flagsOf, isRetained, markerAsKnown, lastSourceText, type Decision, type Decisions } from './decide.ts';
import { rulesOfPlan } from './access-policy/plan-rules.ts';
import { exceptionDiagnostics } from './access-policy/finding-message.ts';
import { decidePlanInSteps, type DecidedPlan } from './decide-plan.ts';
import { stepOf, type PlanNode } from './order/plan-node.ts';
import { driftOf } from './drifted.ts';
import { earlierCreations } from './earlier-creations.ts';
import { plannedFiles } from './planned-files.ts';
import { findHazards } from './hazards.ts';
import type { Match, PlanInput } from './input.ts';
import { otherOwner } from './other-owner.ts';
import { isProtected, blockedChanges } from './policy.ts';
import { ownershipText, stateOnlyFacts } from './state-only.ts';
import { planWarnings } from './warnings/warnings.ts';
import { carriedOverFields } from './written-specs.ts';

/** Makes the plan: what changes, by which requests, in which order, and what a reviewer must know. Pure. */
export function planStack(whole: PlanInput): Plan {
  return atOnce(planInSteps(whole)).plan;
}

/** The same, in steps, with what was decided. */
export function* planInSteps(whole: PlanInput): Sliced<{ readonly plan: Plan; readonly decided: DecidedPlan }> {
  const decided = yield* decidePlanInSteps(whole);
  return { plan: yield* planFrom(decided), decided };
}

function* planFrom(decided: DecidedPlan): Sliced<Plan> {
  const { input, diagnostics, decisions, changing, ordered } = decided;
  const review = yield* findHazards(decided);
  const hazards = [...ordered.temporary.hazards, ...review.hazards];
  const rules = rulesOfPlan(decisions, ordered, input);
  yield;
  const blocked = blockedChanges(changing, hazards, rules, input);
  yield;
  const own = byAddress(ordered.nodes);
  const final = [...decisions.values()].map((decision) => asOrdered(decision, own.get(decision.pair.address) ?? []));
  yield;
  const files = plannedFiles(final, input);
  const written = new Set(files.map(({ address }) => address));
  const changes = yield* mapSliced(final, (decision) => {
    const change = changeOf(decision, blocked.get(decision.pair.address), input);
    if (change.action !== 'none') return change;
    if (written.has(change.address)) return { ...change, action: 'write-file' as const };
    return (change.stateOnly ?? []).length === 0 ? change : { ...change, action: 'record' as const };
  });
  const warnings = yield* planWarnings(decisions, input);
  const all = [...changes, ...removedFromState(decisions, input)];
  const sorted = yield* sortByAddress(all);
  const steps = yield* mapSliced(ordered.nodes, stepOf);
  return {
    stack: { name: input.stack.name, id: input.stack.id },
    profile: input.stack.profile,
    ...(input.now === undefined ? {} : { now: input.now }),
    changes: sorted,
    steps,
    files,
    hazards,
    publicByPolicy: review.publicByPolicy,
    // Found when it is first asked for: a text does not list them.
    get exposureChanges() {
      return review.exposureChanges();
    },
    lastAccess: review.lastAccess,
    ...(rules.length === 0 ? {} : { rules }),
    diagnostics: [
      ...diagnostics,
      ...ordered.diagnostics,
      ...warnings,
      ...exceptionDiagnostics(rules),
      ...input.account.diagnostics,
    ],
    ...earlierCreations(decisions, input),
    ...(input.desired.externals === undefined ? {} : { externals: input.desired.externals }),
    complete: input.desired.complete,
    ...(input.destroying === true ? { destroying: true } : {}),
  };
}

/** The decision as the order has made it: a replacement turned around, or a resource that temporarily releases a value. */
function asOrdered(decision: Decision, own: readonly PlanNode[]): Decision {
  const create = own.find(({ role }) => role === 'create');
  const remove = own.find(({ role }) => role === 'delete');
  if (create !== undefined && remove !== undefined)
    return { ...decision, action: create.after.has(remove) ? 'replace-delete-first' : 'replace-create-first' };
  if (decision.action !== 'none' || own.length === 0) return decision;
  return { ...decision, action: 'update', why: ['changed temporarily while other resources change, then restored'] };
}

function changeOf(decision: Decision, blocked: Blocked | undefined, input: PlanInput): Change {
  const { pair, action, compared, spec, why, marker, markerDiffers, deletedWith } = decision;
  const { address, kind, desired, actual, movedFrom, entry } = pair;
  const flags =
    desired === undefined
      ? { protect: isProtected(pair, input.stack.profile), retain: isRetained(pair, input.stack.profile) }
      : flagsOf(kind, desired.lifecycle);
  const markerBefore = markerAsKnown(pair, input.stack.profile);
  const { deletedOutside, markerDrifted } = driftOf(decision, input);
  const stateOnly = stateOnlyFacts(decision, input.stack);
  const isSame = compared.changes.length === 0;
  const written = desired === undefined || isSame ? undefined : writtenAt(desired, compared.changes);
  return present({
    address,
    kind: kind.name,
    action,
    id: actual?.id,
    actual: actual?.spec,
    parent: actual?.parent,
    movedFrom,
    lastSource: desired === undefined ? entry?.source : undefined,
    place: written?.places?.place ?? desired?.place,
    manifestPlace: written?.places?.manifestPlace,
    desired: desired === undefined ? undefined : spec,
    printed: desired?.printed,
    // `deletedWith` shows already that its parent is replaced.
    fields: isSame
      ? emptyList
      : compared.changes
          .filter(({ path }) => deletedWith === undefined || path[0] !== kind.within?.by)
          .map((field) => withItems(field, pair)),
    why: why.concat(
      written?.why ?? emptyList,
      // A move and an adoption are shown as such.
      (stateOnly ?? emptyList)
        .filter((fact) => fact !== 'moved' && !(fact === 'owned' && pair.adopted === true))
        .map((fact) => ownershipText(fact, pair)),
      deletedOutside === undefined
        ? emptyList
        : `${deletedOutside.id} no longer exists in the account; apply creates the resource again`,
    ),
    deletedOutside,
    markerDrifted,
    shows: showsOf(decision),
    marker,
    markerBefore,
    markerOnly: action === 'update' && compared.changes.length === 0 && markerDiffers,
    stateOnly,
    protect: flags.protect,
    retain: flags.retain,
    unmanagedFields: isReplacement(action)
      ? carriedOverFields(kind.fields, compared.unmanagedFields)
      : compared.unmanagedFields,
    unverified: compared.unverified,
    cleanup: pair.cleanup,
    deletedWith,
    isRenewal: decision.isRenewal,
    blocked,
  });
}

/** Where changed fields are written that a patch sets: the whole change, if that is all of them. */
function writtenAt(
  { places, place }: Desired,
  fields: readonly FieldChange[],
): { readonly places?: Pick<Change, 'place' | 'manifestPlace'>; readonly why?: readonly string[] } {
  const patched = fields.map(({ path }) => ({ path, at: places.patchOf?.(path) }));
  const known = patched.flatMap(({ path, at }) => (at === undefined ? [] : [{ path, at }]));
  const [first] = known;
  if (first === undefined) return {};
  const { file, line, col } = first.at;
  if (known.length === fields.length) return { places: { place: { file, line, col }, manifestPlace: place } };
  return { why: known.map(({ path, at }) => `\`${path.join('.')}\` is set by the patch at ${placeText(at)}`) };
}

/** A text that is shown by its structure, with the places of its items. */
function withItems(field: FieldChange, { kind, desired }: Match): FieldChange {
  const of = typeof field.after === 'string' ? fieldAt(kind.fields, field.path) : undefined;
  const isStructured = of?.is === 'leaf' && (of.format === 'policy' || of.format === 'json');
  const items = isStructured ? desired?.places.itemsOf?.(field.path) : undefined;
  return items === undefined ? field : { ...field, items };
}

function showsOf({ pair: { kind, actual }, spec }: Decision): Record<string, SpecValue> {
  const shows: Record<string, SpecValue> = {};
  for (const name of kind.printerColumns) {
    const value = spec[name] ?? actual?.spec[name] ?? actual?.computed[name];
    if (value !== undefined && value !== null) shows[name] = value;
  }
  return shows;
}

/** What is in state, but neither in the manifests nor in the account, or another stack's by now: only to be removed from state. */
function removedFromState(decisions: Decisions, input: PlanInput): Change[] {
  const { account, state, desired, targets, leave, stack } = input;
  const others = account.takenOver ?? new Map<Address, Actual>();
  const absent = [...account.missing, ...others.keys()];
  if (absent.length === 0) return [];
  const there = new Set([...decisions.values()].map(({ pair }) => pair.actual?.id));
  const none = { fields: [], shows: {}, unmanagedFields: {}, unverified: [], markerOnly: false };
  return absent.flatMap((address): Change[] => {
    const entry = state?.entries[address];
    const isAsked = (desired.complete || targets?.includes(address) === true) && leave?.has(address) !== true;
    if (entry === undefined || !isAsked || decisions.has(address) || there.has(entry.id)) return [];
    const { kind, protect, retain, source: lastSource } = entry;
    const why = `not in the manifests${lastSourceText(entry)}, and ${whereabouts(entry, others.get(address)?.marker, stack)}`;
    return [present({ ...none, address, kind, action: 'forget' as const, why: [why], lastSource, protect, retain })];
  });
}

function whereabouts({ adopting }: Entry, marker: Marker | undefined, stack: Stack): string {
  if (adopting === true) return 'the adoption of the resource was not completed';
  const owner = otherOwner(marker, stack);
  return owner === undefined ? 'no longer in the account' : `the resource now belongs to the stack ${owner.text}`;
}
