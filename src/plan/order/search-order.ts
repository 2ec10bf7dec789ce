import { disjointSets } from '../../model/disjoint-sets.ts';
import { addToGroup, groupBy } from '../../model/group-by.ts';
import { inDependencyOrder } from '../../model/ready-queue.ts';
import { applyStep, partOf, type RoutingModel, type RoutingNode } from '../routing/routing-model.ts';
import { isKept, type KeptClass, type KeptGroup } from './kept-classes.ts';
import type { InstanceKey, PlanNode } from './plan-node.ts';

/** How many steps a search may try, beyond one try of each, before it allows more gaps. */
const SEARCH_LIMIT = 100_000;

/** With so many gaps, any order is as good as another. */
const MOST_GAPS = 1_000_000;

/** A moment of the apply at which a request class loses an access control or an access rule, and the step that causes it. */
export interface AccessGap {
  readonly step: PlanNode;
  readonly tracked: KeptClass;
  /** How many steps of the order are done at that moment, `step` included. */
  readonly done: number;
}

/** For each of some steps, which of the others must come before it. */
export type Waits = ReadonlyMap<PlanNode, readonly PlanNode[]>;

/** An order of the steps that touch a tight class, with the gaps that it has. */
export interface FoundOrder {
  readonly order: readonly PlanNode[];
  readonly gaps: readonly AccessGap[];
}

/**
 * Searches for an order of the steps that touch a tight class, apart for steps that no class and no dependency connects.
 * Returns the first order without a gap; else one with more gaps allowed, four times as many each time, up to `most`.
 */
export function searchOrder(group: KeptGroup, tight: readonly KeptClass[], most = MOST_GAPS): FoundOrder {
  const touching = new Set(tight.flatMap(({ nodes }) => nodes));
  const waits = waitsWithin(group.nodes.filter((step) => touching.has(step)));
  const { join, rootOf } = disjointSets<PlanNode>();
  for (const { nodes } of tight) for (const step of nodes) join(nodes[0] ?? step, step);
  for (const [step, earlier] of waits) for (const one of earlier) join(one, step);
  const classes = groupBy(tight, ({ nodes: [first] }) => first && rootOf(first));
  const order: PlanNode[] = [];
  const gaps: AccessGap[] = [];
  for (const [part, steps] of groupBy(inOrder(waits), rootOf)) {
    const found = searchPart(group.start, steps, waits, classes.get(part) ?? [], most);
    for (const gap of found.gaps) gaps.push({ ...gap, done: gap.done + order.length });
    for (const step of found.order) order.push(step);
  }
  return { order, gaps };
}

/** Searches depth first. A state from which no order was found is not visited again. */
function searchPart(
  start: RoutingModel,
  steps: readonly PlanNode[],
  waits: Waits,
  tight: readonly KeptClass[],
  most: number,
): FoundOrder {
  const touched = new Map<InstanceKey, KeptClass[]>();
  for (const tracked of tight) for (const instance of tracked.instances) addToGroup(touched, instance, tracked);
  for (let allowed = 0; allowed <= most; allowed = allowed === 0 ? 1 : allowed * 4) {
    const found = orderWithin(allowed, steps, waits, new Progress(start, touched));
    if (found !== undefined) return found;
  }
  const progress = new Progress(start, touched);
  for (const step of steps) progress.take(step);
  return progress;
}

/** The routing at each gap of an order, one after the other. Each is only valid until the next is asked for. */
export function* gapMoments(
  start: RoutingModel,
  { order, gaps }: FoundOrder,
): Generator<{ readonly gap: AccessGap; readonly routing: RoutingModel }> {
  const routing = new Map(start);
  let done = 0;
  for (const gap of gaps) {
    for (const step of order.slice(done, gap.done)) applyStep(routing, step);
    ({ done } = gap);
    yield { gap, routing };
  }
}

/**
 * For each of some steps, the others that must come before it, also by way of steps that are not among them. What these
 * others wait for in turn is left out, since it comes before them anyway.
 */
export function waitsWithin(steps: readonly PlanNode[]): Waits {
  const own = new Set(steps);
  return new Map(
    steps.map((step) => {
      const earlier = new Set(step.after.keys());
      for (const other of earlier) if (!own.has(other)) for (const further of other.after.keys()) earlier.add(further);
      return [step, [...earlier].filter((other) => own.has(other))];
    }),
  );
}

/** The steps, each after those that it waits for, and otherwise in their order. */
export function inOrder(waits: Waits): readonly PlanNode[] {
  const steps = [...waits.keys()];
  return [...new Set([...inDependencyOrder(steps, (step) => waits.get(step) ?? []), ...steps])];
}

/** The first order with no more gaps than allowed, if it is found soon enough. Not recursive: an edge may have any number of routes. */
function orderWithin(
  allowed: number,
  steps: readonly PlanNode[],
  waits: Waits,
  progress: Progress,
): FoundOrder | undefined {
  const failed = new Set<string>();
  // For each step taken, and once for none, which step to try next.
  const tries = [0];
  for (let tried = 0; tries.length > 0 && tried < SEARCH_LIMIT + steps.length;) {
    const next = tries.pop() ?? 0;
    const step = steps[next];
    if (step === undefined) {
      failed.add(progress.state());
      progress.undo();
      continue;
    }
    tries.push(next + 1);
    if (progress.has(step) || waits.get(step)?.some((earlier) => !progress.has(earlier)) === true) continue;
    progress.take(step, allowed);
    tried++;
    if (progress.gaps.length > allowed || (failed.size > 0 && failed.has(progress.state()))) {
      progress.undo();
      continue;
    }
    if (progress.order.length === steps.length) return progress;
    tries.push(0);
  }
  return undefined;
}

/** The classes that a change of an instance can touch. */
type TouchedClasses = ReadonlyMap<InstanceKey, readonly KeptClass[]>;

/** Steps taken one after the other, the routing after them, and the gaps that they caused. */
class Progress implements FoundOrder {
  readonly order: PlanNode[] = [];
  readonly gaps: AccessGap[] = [];
  readonly #taken: { readonly step: PlanNode; readonly before: RoutingNode | undefined; readonly gaps: number }[] = [];
  readonly #routing: Map<InstanceKey, RoutingNode>;
  readonly #touched: TouchedClasses;
  readonly #done = new Set<PlanNode>();
  readonly #bits = new Map<PlanNode, bigint>();
  /** Where a class was last found to lose something: it probably still does, and so decides without all the others. */
  readonly #losing = new Map<InstanceKey, number>();
  #state = 0n;

  constructor(start: RoutingModel, touched: TouchedClasses) {
    this.#touched = touched;
    this.#routing = partOf(start, touched.keys());
  }

  /** Takes a step. Once there are more gaps than allowed, no further ones are looked for. */
  take(step: PlanNode, allowed = Number.POSITIVE_INFINITY): void {
    const { instance } = step.effect;
    this.#taken.push({ step, before: this.#routing.get(instance), gaps: this.gaps.length });
    this.order.push(step);
    this.#done.add(step);
    this.#flip(step);
    applyStep(this.#routing, step);
    for (const tracked of this.#lostBy(step, allowed - this.gaps.length))
      this.gaps.push({ step, tracked, done: this.order.length });
  }

  /** The classes that lose something by a step; of more than allowed, the first that are found. */
  #lostBy({ effect: { instance } }: PlanNode, allowed: number): KeptClass[] {
    const touched = this.#touched.get(instance) ?? [];
    const from = this.#losing.get(instance) ?? 0;
    const lost: number[] = [];
    for (let at = 0; at < touched.length && lost.length <= allowed; at++) {
      const index = (from + at) % touched.length;
      const tracked = touched[index];
      if (tracked !== undefined && !isKept(tracked, this.#routing)) lost.push(index);
    }
    if (lost[0] !== undefined) this.#losing.set(instance, lost[0]);
    return lost.sort((a, b) => a - b).flatMap((index) => touched[index] ?? []);
  }

  /** Takes the last step back, if there is one. */
  undo(): void {
    const last = this.#taken.pop();
    if (last === undefined) return;
    const { instance } = last.step.effect;
    if (last.before === undefined) this.#routing.delete(instance);
    else this.#routing.set(instance, last.before);
    this.gaps.length = last.gaps;
    this.order.pop();
    this.#done.delete(last.step);
    this.#flip(last.step);
  }

  has(step: PlanNode): boolean {
    return this.#done.has(step);
  }

  /** The same for the same steps, in whatever order they were taken. */
  state(): string {
    return this.#state.toString(16);
  }

  #flip(step: PlanNode): void {
    const bit = this.#bits.get(step) ?? 1n << BigInt(this.#bits.size);
    this.#bits.set(step, bit);
    this.#state ^= bit;
  }
}
