import { markerField, splitMetadata } from '../derive/marker.ts';
import type { Kind } from '../kinds/kind.ts';
import type { SpecObject } from '../kinds/value.ts';
import type { Address } from '../model/address.ts';
import { groupBy } from '../model/group-by.ts';
import { isEmptyPlan, type Change, type Plan, type Step, getsNewId } from '../model/plan/plan.ts';
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
  /** The entries that this run has removed: of an instance that it deletes first, its replacement needs them. */
  readonly #replaced = new Map<Address, Entry>();
  /** The addresses in whose entry an instance is, by its id: the current one, and those that earlier runs have left behind. */
  #addresses: ReadonlyMap<string, Address> | undefined;

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
    if (action === 'forget') this.#remove(change.address, () => forgetEntry(change, this.#options.state));
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
    if (step.role === 'delete') this.#deleted(change);
    if (change.action === 'forget' && this.#keepsMarker(change))
      this.#remove(change.address, () => forgetEntry(change, state));
    else if (change.action === 'forget') this.#remove(change.address);
    else if (change.action !== 'delete' && id !== undefined && (isLast || step.role === 'create')) {
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

  /** Removes a resource from state. An older instance that is still to be deleted takes its place: nothing else may tell of it. */
  #remove(address: Address, remove = (): void => this.#options.state.drop(address)): void {
    const entry = this.#options.state.entry(address);
    remove();
    if (entry === undefined) return;
    this.#replaced.set(address, entry);
    const [id, ...others] = entry.deposed ?? [];
    if (id === undefined) return;
    const { deposed: _, ...rest } = entry;
    const left = others.length === 0 ? {} : { deposed: others };
    this.#options.state.put(address, { ...rest, id, spec: {}, rebuilt: true, ...left });
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
      const { deposed, ...rest } = entry;
      const left = deposed.filter((other) => other !== id);
      state.put(address, left.length === 0 ? rest : { ...rest, deposed: left });
    }
  }
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
