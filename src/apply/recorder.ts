import { markerField, splitMetadata, stackIdOf } from '../derive/marker.ts';
import { pointerOf } from '../derive/pointer.ts';
import { toState } from '../derive/stored/to-state.ts';
import { fromWire } from '../derive/wire/from-wire.ts';
import { offers, operationOf } from '../derive/wire/operations.ts';
import type { Kind } from '../kinds/kind.ts';
import type { SpecObject } from '../kinds/value.ts';
import type { Actual } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import { groupBy } from '../model/group-by.ts';
import { markerEntry, recordsApplied } from '../model/marker-entry.ts';
import { getsNewId, isEmptyPlan, type Change, type Plan, type Step } from '../model/plan/plan.ts';
import type { Entry, StateObject } from '../model/state.ts';
import type { KnownResources } from './known-resources.ts';
import type { StateWriter } from './state-writer.ts';
import { entryOf, isMoveOnly, isRecorded, shownOtherwise } from './record.ts';
import { withDeposed, forgetEntry, addressesInUse } from './entries-in-state.ts';
import { sentFields, specAfterRequest } from './spec-after-request.ts';
import { withoutFormer } from '../model/renamed-entry.ts';

/** What a recorder writes with. */
export interface RecorderOptions {
  readonly plan: Plan;
  readonly state: StateWriter;
  readonly known: KnownResources;
  readonly kindOf: (change: Change) => Kind;
  readonly digest: (text: string) => string;
}

/** Records the result of each change in state as soon as the service has answered. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #isEmpty: boolean;
  readonly #steps: ReadonlyMap<Address, readonly Step[]>;
  /** Resources that are deleted together with their parent, by the address of the parent. */
  readonly #inside: ReadonlyMap<Address | undefined, readonly Change[]>;
  readonly #inUse: ReadonlySet<Address>;
  /** The entries that this run has removed: of an instance that it deletes first, its replacement needs them. */
  readonly #replaced = new Map<Address, Entry>();
  /** What removes a released resource from state, by its address. */
  readonly #released = new Map<Address, () => void>();
  /** Deletions that are recorded ahead, by address. */
  readonly #deletions = new Map<Address, RecordedDeletion>();
  /** The recorded specs of what this run has done in part, as they were before. */
  readonly #specsBefore = new Map<Address, StateObject>();
  /** The addresses in whose entry an instance is, by its id: the current one, and those that earlier runs have left behind. */
  #addresses: ReadonlyMap<string, Address> | undefined;

  constructor(options: RecorderOptions) {
    const { plan } = options;
    this.#options = options;
    this.#isEmpty = isEmptyPlan(plan);
    this.#inUse = addressesInUse(plan.changes);
    this.#steps = groupBy(plan.steps, ({ address }) => address);
    this.#inside = groupBy(
      plan.changes.filter(({ deletedWith }) => deletedWith !== undefined),
      ({ deletedWith }) => deletedWith,
    );
  }

  /** Records a change without a request, so that a lost or old state is complete again. */
  unchanged(change: Change): void {
    const { action, id = '', parent } = change;
    if (action === 'forget') this.#release(change.address, () => this.#forget(change));
    else if (['none', 'adopt', 'write-file', 'record'].includes(action)) this.#remember(change, id, parent);
  }

  /**
   * Records, before the first request, a resource that only its marker shows to be ours, one that is adopted, and a duplicate of
   * what is deleted or released: if its change is not completed, nothing else may tell of it, and no other run may read its kind.
   */
  known(change: Change, former: Address | undefined): void {
    const { address, action, id, markerBefore: marker, cleanup } = change;
    if (action === 'adopt') this.#adopting(change);
    else if (id === undefined || marker === undefined) return;
    else if (cleanup === 'duplicate') this.#duplicate(change, id);
    else if (cleanup === undefined) this.marked(address, { ...change, id, marker }, former);
  }

  /** Records that a resource is about to be adopted. */
  #adopting({ address, kind, id = '', parent, protect, retain }: Change): void {
    const { state } = this.#options;
    const { id: known, nonce, formerNonces = [], deposed } = state.entry(address) ?? {};
    if (!this.#steps.has(address) || known === id) return;
    const former = nonce === undefined ? formerNonces : [...formerNonces, nonce];
    state.put(address, {
      kind,
      id,
      ...(parent === undefined ? {} : { parent }),
      spec: {},
      protect,
      retain,
      rebuilt: true,
      adopting: true,
      ...(former.length === 0 ? {} : { formerNonces: former }),
      ...(deposed === undefined ? {} : { deposed }),
    });
  }

  /** Records a resource that only its marker shows to be ours. */
  marked(address: Address, actual: Pick<Actual, 'kind' | 'id' | 'parent' | 'marker'>, former?: Address): void {
    const { plan, state } = this.#options;
    const { marker } = actual;
    if (marker === undefined || stackIdOf(marker) !== plan.stack.id || state.entry(address) !== undefined) return;
    // A creation that made another one is still to be looked up.
    if (state.intent(address)?.nonces.includes(marker.n) === false) return;
    const moved = former === undefined ? {} : { formerAddresses: [former] };
    state.put(address, { ...markerEntry(actual, marker), ...moved });
  }

  /** Records a duplicate with what it is a duplicate of, if that is not kept: it is deleted as what was replaced is. */
  #duplicate({ kind, markerBefore: marker }: Change, id: string): void {
    const { plan, state } = this.#options;
    const first = plan.changes.find(
      ({ kind: other, action, cleanup, markerBefore }) =>
        cleanup === undefined &&
        ['delete', 'forget'].includes(action) &&
        other === kind &&
        markerBefore?.a === marker?.a,
    );
    const entry = first && state.entry(first.address);
    if (first === undefined || entry === undefined || entry.id === id) return;
    state.put(first.address, { ...entry, deposed: [...new Set([...(entry.deposed ?? []), id])] });
  }

  /** Records that a deletion is about to start: its request waits for that. */
  deletionAhead(change: Change): void {
    if (this.#deletions.has(change.address)) return;
    const recorded = this.#recordDeletion(change);
    // The deletion awaits it and reports the error.
    recorded.durable.catch(() => undefined);
    this.#deletions.set(change.address, recorded);
  }

  /** The record of a deletion that starts now. */
  deleting(change: Change): RecordedDeletion {
    const ahead = this.#deletions.get(change.address);
    this.#deletions.delete(change.address);
    return ahead ?? this.#recordDeletion(change);
  }

  /** Takes back the records of deletions that were not started. */
  withdrawDeletions(): void {
    for (const { takeBack } of this.#deletions.values()) takeBack();
    this.#deletions.clear();
  }

  /** Records that an instance and all inside it are being deleted: if nothing more is recorded, nobody else has deleted them. */
  #recordDeletion(change: Change): RecordedDeletion {
    const { state } = this.#options;
    const entries = [change, ...(this.#inside.get(change.address) ?? [])].flatMap(({ address, id }) => {
      const entry = state.entry(address);
      return entry === undefined || entry.id !== id || entry.deleting === true ? [] : [{ address, entry }];
    });
    const durable = entries.map(({ address, entry }) => state.putDoubtful(address, { ...entry, deleting: true }));
    const takeBack = (): void => {
      for (const { address } of entries) {
        const entry = state.entry(address);
        if (entry === undefined) continue;
        // What else was recorded meanwhile stays.
        const { deleting: _, ...rest } = entry;
        state.put(address, rest);
      }
    };
    return { durable: Promise.all(durable), takeBack };
  }

  /** Records a finished step. A creation is recorded at once, with the fields that it sent; the fields of later requests are recorded with the last step. */
  stepDone(step: Step, change: Change, isLast: boolean): void {
    const { state, known } = this.#options;
    const id = known.id(change.address);
    if (step.role === 'delete') this.#deleted(change);
    if (change.action === 'forget' && this.#keepsMarker(change))
      this.#release(change.address, () => forgetEntry(change, state));
    else if (change.action === 'forget') this.#release(change.address);
    else if (change.action !== 'delete' && id !== undefined && (isLast || step.role === 'create')) {
      const parent = known.parentOf(change, this.#options.kindOf(change));
      this.#remember(change, id, parent, { step, isLast });
    } else if (change.action === 'update') this.#doneInPart(step, change);
  }

  /** Records what a request has done, if others of its change are still to be sent. */
  #doneInPart(step: Step, change: Change): void {
    const { state, known, kindOf, digest } = this.#options;
    const entry = state.entry(change.address);
    if (entry === undefined || !recordsApplied(entry)) return;
    const kind = kindOf(change);
    const { module } = operationOf(kind, step.request);
    const isCleared = (name: string): boolean => !Object.hasOwn(known.kept(change.address), pointerOf([name]));
    const sent = Object.fromEntries(
      Object.entries(known.withIds(sentFields(step))).filter(([name]) => isCleared(name)),
    );
    const spec = specAfterRequest(entry.spec, step, change, module, toState(kind.fields, sent, digest));
    const { protect, retain } = step.request.marker === undefined ? entry : change;
    if (!this.#specsBefore.has(change.address)) this.#specsBefore.set(change.address, entry.spec);
    const { returnedSecrets: _, rewrittenTexts: __, filledIn: ___, ...others } = entry;
    const applied = { kind, spec: { ...spec, ...sent }, sent, previous: this.#previous(change.address) };
    state.put(change.address, {
      ...others,
      spec,
      protect,
      retain,
      ...shownOtherwise({ ...applied, shown: this.#shown(kind, change.address, entry.id) }, digest),
    });
  }

  /** What was recorded of a resource before this run, beside what this run has done in part. */
  #previous(address: Address): Entry | undefined {
    const entry = this.#options.state.entry(address) ?? this.#replaced.get(address);
    const spec = this.#specsBefore.get(address);
    return entry === undefined || spec === undefined ? entry : { ...entry, spec };
  }

  /** The spec of a resource, as all answers so far show it. That of a creation was read when it came. */
  #shown(kind: Kind, address: Address, id: string): SpecObject | undefined {
    const { known } = this.#options;
    const [answer, created] = [known.answer(address), known.created(address)];
    if (answer === undefined) return undefined;
    return answer === created?.answer ? created.actual.spec : fromWire(kind, { ...answer, id }).spec;
  }

  #remember(change: Change, id: string, parent: string | undefined, done?: Done): void {
    const { state, known, kindOf, digest } = this.#options;
    const { address } = change;
    const kind = kindOf(change);
    const spec = known.withIds(change.desired ?? {});
    // Of a creation that others follow: the fields that it has sent, and the one that names the parent.
    const isFirst = done?.step.role === 'create' && !done.isLast;
    const carried = isFirst ? new Set([...Object.keys(done.step.request.body ?? {}), kind.within?.by]) : undefined;
    const previous = this.#previous(address);
    const unchanged = { change, kind, id, parent, spec };
    if (previous !== undefined && done === undefined && isRecorded(previous, unchanged, digest)) {
      state.put(address, previous);
      return;
    }
    const shown = this.#shown(kind, address, id);
    const nonce = known.nonce(address);
    const sent = (this.#steps.get(address) ?? []).map((step) => known.withIds(sentFields(step)));
    const deposed = [...this.#superseded(change, id), ...stillToDelete(change, done?.step, previous)];
    const recorded = entryOf(
      {
        change,
        kind,
        id,
        parent,
        nonce,
        shown,
        previous,
        uncleared: known.kept(address),
        sent: Object.assign({}, ...sent) as SpecObject,
        spec:
          carried === undefined ? spec : Object.fromEntries(Object.entries(spec).filter(([name]) => carried.has(name))),
        // An old instance may have been taken back.
        deposed: deposed.filter((old) => old !== id),
      },
      digest,
    );
    const entry = withoutFormer(recorded, this.#inUse);
    // Moved lines of a manifest are no reason to write state; they are saved with the next real change.
    if (!this.#isEmpty || !isMoveOnly(previous, entry)) state.put(address, entry);
  }

  /** Removes a resource from state. One that is to be retained, and cannot be found now, may appear again with a marker that does not say so. */
  #forget(change: Change): void {
    const { plan, state, kindOf } = this.#options;
    const { address, kind, retain } = change;
    const gone = change.id === undefined && retain ? state.entry(address)?.id : undefined;
    if (gone !== undefined && !offers(kindOf(change), plan.profile).update) state.putForgotten(gone, { kind, address });
    else forgetEntry(change, state);
  }

  /** Whether the service has left the marker as it was, by its answer. */
  #keepsMarker(change: Change): boolean {
    const { known, kindOf } = this.#options;
    const metadata = known.answer(change.address)?.[markerField(kindOf(change)) ?? ''];
    return typeof metadata === 'string' && splitMetadata(metadata).marker !== undefined;
  }

  /** Records that an instance is deleted, and all inside it. If the run ends before a replacement exists, nobody else has deleted it; what was created anew meanwhile is another instance. */
  #deleted(change: Change): void {
    const { state, known } = this.#options;
    const gone = [change, ...(this.#inside.get(change.address) ?? [])];
    for (const one of gone) this.#removeDeposed(one);
    for (const { address, action } of gone) {
      // Only the entry tells of older instances that are still to be deleted.
      const isKept = getsNewId(action) && state.entry(address)?.deposed !== undefined;
      if (known.created(address) === undefined && !isKept) this.#remove(address);
    }
  }

  /** Removes a released resource from state, once what its entry alone tells of is deleted: in its place, that would be released as well. */
  #release(address: Address, remove?: () => void): void {
    const { state } = this.#options;
    const release = (): void => this.#remove(address, remove);
    if (this.#areDeleted(state.entry(address)?.deposed)) this.#released.set(address, release);
    else release();
  }

  /** The recorded instance of an address that is another one by now, if this run is to delete it: nothing else may tell of it if that fails. */
  #superseded({ address }: Change, id: string): readonly string[] {
    const recorded = this.#options.state.entry(address)?.id;
    return recorded !== undefined && recorded !== id && this.#areDeleted([recorded]) ? [recorded] : [];
  }

  /** Whether this run deletes any of these old instances. */
  #areDeleted(deposed: readonly string[] = []): boolean {
    return (
      deposed.length > 0 &&
      this.#options.plan.changes.some(({ action, id = '' }) => action === 'delete' && deposed.includes(id))
    );
  }

  /** Removes a resource from state. An older instance that is still to be deleted takes its place: nothing else may tell of it. */
  #remove(address: Address, remove = (): void => this.#options.state.drop(address)): void {
    const entry = this.#options.state.entry(address);
    remove();
    if (entry === undefined) return;
    this.#replaced.set(address, entry);
    const [id, ...others] = entry.deposed ?? [];
    if (id === undefined) return;
    const { adopting: _, deleting: __, attempted: ___, ...rest } = withDeposed(entry, others);
    this.#options.state.put(address, { ...rest, id, spec: {}, rebuilt: true });
  }

  /** Removes a deleted instance from the entries of other addresses, and from the older ones of its own. */
  #removeDeposed({ address: own, id = '' }: Change): void {
    const { plan, state } = this.#options;
    this.#addresses ??= new Map(
      plan.changes.flatMap(({ address }) => {
        const entry = state.entry(address);
        return entry === undefined ? [] : [entry.id, ...(entry.deposed ?? [])].map((one) => [one, address] as const);
      }),
    );
    for (const address of new Set([this.#addresses.get(id) ?? own, own])) {
      const entry = state.entry(address);
      if (entry?.id === id && address !== own) this.#remove(address);
      if (entry?.deposed?.includes(id) !== true) continue;
      const left = entry.deposed.filter((other) => other !== id);
      state.put(address, withDeposed(entry, left));
      if (!this.#areDeleted(left)) this.#released.get(address)?.();
    }
  }
}

/** A deletion that is recorded before its request. */
export interface RecordedDeletion {
  /** Resolves once the request may be sent. */
  readonly durable: Promise<unknown>;
  /** For a request that was not sent, or certainly not carried out. */
  readonly takeBack: () => void;
}

interface Done {
  readonly step: Step;
  readonly isLast: boolean;
}

/** The ids of deposed instances: a replaced instance is deposed from the creation of the new one until it is deleted. */
function stillToDelete({ action, id }: Change, step: Step | undefined, previous: Entry | undefined): string[] {
  const before = previous?.deposed ?? [];
  const isReplaced = id !== undefined && action === 'replace-create-first' && step?.role === 'create';
  return isReplaced ? [...before.filter((other) => other !== id), id] : [...before];
}
