import type { Kind } from '../kinds/kind.ts';
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
  /** What goes with what it lives in, by the address of that. */
  readonly #inside: ReadonlyMap<Address | undefined, readonly Change[]>;
  /** Whose old one an earlier run has left behind, by the id of that. */
  #heirs: ReadonlyMap<string, readonly Heir[]> | undefined;

  constructor(options: RecorderOptions) {
    const { plan } = options;
    this.#options = options;
    this.#isEmpty = isEmptyPlan(plan);
    this.#steps = groupBy(plan.steps, ({ address }) => address);
    this.#inside = groupBy(
      plan.changes.filter(({ action }) => action === 'delete'),
      ({ deletedWith }) => deletedWith,
    );
  }

  /** What needs no request is remembered as it is: state that was lost or old catches up with the account. */
  unchanged(change: Change): void {
    const { action, id = '', parent } = change;
    if (action === 'forget') forgetEntry(change, this.#options.state);
    else if (action === 'none' || action === 'adopt' || action === 'write-file') this.#remember(change, id, parent);
  }

  /** What a step has done. A creation is remembered at once, with what it carried; what a later request adds, with the last one. */
  stepDone(step: Step, change: Change, isLast: boolean): void {
    const { state: state, known } = this.#options;
    const id = known.id(change.address);
    if (step.role === 'delete') {
      this.#forgetInside(change);
      this.#strikeSuperseded(change);
    }
    if (change.action === 'forget' || (step.role === 'delete' && !getsNewId(change.action))) state.drop(change.address);
    else if (id !== undefined && (isLast || step.role === 'create')) {
      const parent = known.parentOf(change, this.#options.kindOf(change));
      this.#remember(change, id, parent, { step, isLast });
    }
  }

  #remember(change: Change, id: string, parent: string | undefined, done?: Done): void {
    const { state: state, known, kindOf, digest } = this.#options;
    const { address } = change;
    const kind = kindOf(change);
    const spec = known.withIds(change.desired ?? {});
    const carried = done?.step.role === 'create' && !done.isLast ? carriedBy(done.step, kind) : undefined;
    const previous = state.entry(address);
    const answer = known.answer(address);
    const nonce = known.nonce(address);
    const entry = entryOf(
      {
        change,
        kind,
        id,
        sent: new Set((this.#steps.get(address) ?? []).flatMap(sentFields)),
        spec:
          carried === undefined ? spec : Object.fromEntries(Object.entries(spec).filter(([name]) => carried.has(name))),
        previous,
        deposed: stillToDelete(change, done?.step, previous),
        uncleared: known.kept(address),
        ...(parent === undefined ? {} : { parent }),
        ...(nonce === undefined ? {} : { nonce }),
        ...(answer === undefined ? {} : { answer: { ...answer, id } }),
      },
      digest,
    );
    // Lines that have moved in a file are no reason to write; they are written along with what is.
    if (!this.#isEmpty || !isMoveOnly(previous, entry)) state.put(address, entry);
  }

  /** What was nested in something deleted or replaced, and is not wanted any more, no longer exists. */
  #forgetInside(change: Change): void {
    for (const { address } of this.#inside.get(change.address) ?? []) this.#options.state.drop(address);
  }

  /** An old one that was left behind by an earlier run is gone now. */
  #strikeSuperseded({ address: own, id = '' }: Change): void {
    const { plan, state: state } = this.#options;
    this.#heirs ??= groupBy(
      plan.changes.flatMap(({ address }) =>
        (state.entry(address)?.deposed ?? []).map((old): Heir => ({ old, address })),
      ),
      ({ old }) => old,
    );
    for (const { address } of [...(this.#heirs.get(id) ?? []), { address: own }]) {
      const entry = state.entry(address);
      if (entry?.deposed?.includes(id) !== true) continue;
      const { deposed, ...rest } = entry;
      const left = deposed.filter((other) => other !== id);
      state.put(address, left.length === 0 ? rest : { ...rest, deposed: left });
    }
  }
}

/** Who has taken the place of an old one. */
interface Heir {
  readonly old: string;
  readonly address: Address;
}

interface Done {
  readonly step: Step;
  readonly isLast: boolean;
}

/** The fields that a request has written, and what the resource lives in. */
function carriedBy({ request }: Step, { within }: Kind): ReadonlySet<string | undefined> {
  return new Set([...Object.keys(request.body ?? {}), within?.by]);
}

/** What a replacement has left behind: the old one, from the moment the new one is there until it is deleted. */
function stillToDelete({ action, id }: Change, step: Step | undefined, previous: Entry | undefined): string[] {
  const before = previous?.deposed ?? [];
  if (id === undefined || action !== 'replace-create-first') return [...before];
  const others = before.filter((other) => other !== id);
  return step?.role === 'create' ? [...others, id] : step?.role === 'delete' ? others : [...before];
}
