import { markerField, splitMetadata } from '../derive/marker.ts';
import type { Kind } from '../kinds/kind.ts';
import type { SpecObject } from '../kinds/value.ts';
import type { Address } from '../model/address.ts';
import { groupBy } from '../model/group-by.ts';
import { getsNewId } from '../model/replacement.ts';
import { isEmptyPlan, type Change, type Plan, type Step } from '../model/plan/plan.ts';
import type { Entry } from '../model/state.ts';
import type { KnownResources } from './known-resources.ts';
import type { StateWriter } from './state-writer.ts';
import { entryOf, isMoveOnly } from './record.ts';
import { sentFields } from './sent-fields.ts';
import { forgetEntry } from './move-entries.ts';

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
  /** The entries of instances that this run deletes before it creates their replacements. */
  readonly #replaced = new Map<Address, Entry>();
  /** The resources whose deposed instance an earlier run has left behind, by the id of that instance. */
  #replacements: ReadonlyMap<string, readonly Replacement[]> | undefined;

  constructor(options: RecorderOptions) {
    const { plan } = options;
    this.#options = options;
    this.#isEmpty = isEmptyPlan(plan);
    this.#steps = groupBy(plan.steps, ({ address }) => address);
    this.#inside = groupBy(
      plan.changes.filter(({ deletedWith }) => deletedWith !== undefined),
      ({ deletedWith }) => deletedWith,
    );
  }

  /** Records a change without a request, so that a lost or old state is complete again. */
  unchanged(change: Change): void {
    const { action, id = '', parent } = change;
    if (action === 'forget' && change.id === undefined) this.#dropDeleted(change.address);
    else if (action === 'forget') forgetEntry(change, this.#options.state);
    else if (['none', 'adopt', 'write-file', 'record'].includes(action)) this.#remember(change, id, parent);
  }

  /** Records a resource that is to be deleted, and that only its marker shows to be ours: if that fails, no other run may read its kind. */
  toBeDeleted({ address, action, kind, id, parent, markerBefore, protect, retain, cleanup }: Change): void {
    const { state } = this.#options;
    if (action !== 'delete' || cleanup !== undefined || id === undefined || state.entry(address) !== undefined) return;
    const inside = parent === undefined ? {} : { parent };
    const marked = markerBefore === undefined ? {} : { nonce: markerBefore.n };
    state.put(address, { kind, id, ...inside, spec: {}, protect, retain, rebuilt: true, ...marked });
  }

  /** Records a finished step. A creation is recorded at once, with the fields that it sent; the fields of later requests are recorded with the last step. */
  stepDone(step: Step, change: Change, isLast: boolean): void {
    const { state, known } = this.#options;
    const id = known.id(change.address);
    if (step.role === 'delete') {
      this.#forgetInside(change);
      this.#removeDeposed(change);
    }
    if (change.action === 'forget' && this.#keepsMarker(change)) forgetEntry(change, state);
    else if (change.action === 'forget') state.drop(change.address);
    else if (step.role === 'delete' && !getsNewId(change.action)) this.#dropDeleted(change.address);
    else if (step.role === 'delete' && change.action === 'replace-delete-first') this.#dropReplaced(change.address);
    else if (id !== undefined && (isLast || step.role === 'create')) {
      const parent = known.parentOf(change, this.#options.kindOf(change));
      this.#remember(change, id, parent, { step, isLast });
    }
  }

  #remember(change: Change, id: string, parent: string | undefined, done?: Done): void {
    const { state, known, kindOf, digest } = this.#options;
    const { address } = change;
    const kind = kindOf(change);
    const spec = known.withIds(change.desired ?? {});
    const carried = done?.step.role === 'create' && !done.isLast ? carriedBy(done.step, kind) : undefined;
    const previous = state.entry(address) ?? this.#replaced.get(address);
    const answer = known.answer(address);
    const nonce = known.nonce(address);
    const entry = entryOf(
      {
        change,
        kind,
        id,
        sent: Object.assign(
          {},
          ...(this.#steps.get(address) ?? []).map((step) => known.withIds(sentFields(step))),
        ) as SpecObject,
        spec:
          carried === undefined ? spec : Object.fromEntries(Object.entries(spec).filter(([name]) => carried.has(name))),
        previous,
        // An old instance may have been taken back.
        deposed: stillToDelete(change, done?.step, previous).filter((old) => old !== id),
        uncleared: known.kept(address),
        ...(parent === undefined ? {} : { parent }),
        ...(nonce === undefined ? {} : { nonce }),
        ...(answer === undefined ? {} : { answer: { ...answer, id } }),
      },
      digest,
    );
    // Moved lines of a manifest are no reason to write state; they are saved with the next real change.
    if (!this.#isEmpty || !isMoveOnly(previous, entry)) state.put(address, entry);
  }

  /** Whether the service has left the marker as it was, by its answer. */
  #keepsMarker(change: Change): boolean {
    const { known, kindOf } = this.#options;
    const metadata = known.answer(change.address)?.[markerField(kindOf(change)) ?? ''];
    return typeof metadata === 'string' && splitMetadata(metadata).marker !== undefined;
  }

  /** Drops the entries of nested resources that are deleted together with their parent, but for those that exist anew in another. */
  #forgetInside(change: Change): void {
    for (const { address, id } of this.#inside.get(change.address) ?? [])
      if (this.#options.state.entry(address)?.id === id) this.#dropReplaced(address);
  }

  /** Drops the entry of an instance that no longer exists. One that lists older instances is about the first of them from now on: nothing else may tell of it. */
  #dropDeleted(address: Address): void {
    const { state } = this.#options;
    const entry = state.entry(address);
    const [id, ...others] = entry?.deposed ?? [];
    if (entry === undefined || id === undefined || state.intent(address) !== undefined) state.drop(address);
    else {
      const { deposed: _, ...rest } = entry;
      state.put(address, { ...rest, id, ...(others.length === 0 ? {} : { deposed: others }) });
    }
  }

  /** Drops the entry of a deleted instance: if the run ends before its replacement exists, nobody else has deleted it. */
  #dropReplaced(address: Address): void {
    const { state } = this.#options;
    const entry = state.entry(address);
    // Only the entry tells of older instances that are still to be deleted.
    if (entry === undefined || entry.deposed !== undefined) return;
    this.#replaced.set(address, entry);
    state.drop(address);
  }

  /** Removes the id of a deleted instance from the entries that list it as deposed. */
  #removeDeposed({ address: own, id = '' }: Change): void {
    const { plan, state } = this.#options;
    this.#replacements ??= groupBy(
      plan.changes.flatMap(({ address }) =>
        (state.entry(address)?.deposed ?? []).map((old): Replacement => ({ old, address })),
      ),
      ({ old }) => old,
    );
    for (const { address } of [...(this.#replacements.get(id) ?? []), { address: own }]) {
      const entry = state.entry(address);
      if (address !== own && entry?.id === id) this.#dropDeleted(address);
      if (entry?.deposed?.includes(id) !== true) continue;
      const { deposed, ...rest } = entry;
      const left = deposed.filter((other) => other !== id);
      state.put(address, left.length === 0 ? rest : { ...rest, deposed: left });
    }
  }
}

/** A resource that has replaced a deposed instance. */
interface Replacement {
  readonly old: string;
  readonly address: Address;
}

interface Done {
  readonly step: Step;
  readonly isLast: boolean;
}

/** The fields that a request has sent, and the field that names the parent. */
function carriedBy({ request }: Step, { within }: Kind): ReadonlySet<string | undefined> {
  return new Set([...Object.keys(request.body ?? {}), within?.by]);
}

/** The ids of deposed instances: a replaced instance is deposed from the creation of the new one until it is deleted. */
function stillToDelete({ action, id }: Change, step: Step | undefined, previous: Entry | undefined): string[] {
  const before = previous?.deposed ?? [];
  if (id === undefined || action !== 'replace-create-first') return [...before];
  const others = before.filter((other) => other !== id);
  return step?.role === 'create' ? [...others, id] : step?.role === 'delete' ? others : [...before];
}
