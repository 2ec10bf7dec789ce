/*
 * Which stacks a replica takes and which it gives back. Every replica decides this for itself, from what all replicas publish
 * that they do; nobody assigns. A wrong or old view costs an attempt in vain, never a second writer: who may write is
 * decided by the lock of each stack alone.
 *
 *   a stack that nobody has     the replica that prefers it most takes it at once: of those that have too few, or else of
 *                               those that have less than an equal share. Any other takes it when it is still free after
 *                               one lease duration
 *   how many at most            one more than an equal share, so that equal shares need no agreement
 *   somebody has too few        whoever has most gives some back, one after the other
 *   somebody is silent          the others wait for what it has, as if nobody had it, and give nothing back; once it speaks again, they stop waiting
 */
import { preference, preferredFor } from './preference.ts';

/** What a replica does with the stacks of its fleet. */
export interface ReplicaClaims {
  /** It has their locks. */
  readonly holds: ReadonlySet<string>;
  /** It waits for their locks. */
  readonly awaits: ReadonlySet<string>;
  /** It leaves them to others for a while. */
  readonly avoids: ReadonlySet<string>;
}

/** What a replica knows when it decides. */
export interface FleetView {
  readonly self: string;
  /** The live replicas by id, this one among them. */
  readonly live: ReadonlyMap<string, ReplicaClaims>;
  /** In the same order for all replicas. */
  readonly stacks: readonly string[];
  /** Of the others: those that have missed several heartbeats. */
  readonly silent: ReadonlySet<string>;
  /** Of its own: those that it gives back once their turn has ended. */
  readonly leaving: ReadonlySet<string>;
  /** For how long nobody has had a stack, in milliseconds. */
  readonly freeMs: (stack: string) => number;
  /** For how long a stack is left to the replica that prefers it. */
  readonly patienceMs: number;
}

/** Decides what a replica attempts and gives back. */
export function divideStacks(view: FleetView): Readonly<Record<'attempt' | 'release', readonly string[]>> {
  const speaking = new Map([...view.live].filter(([id]) => !view.silent.has(id)));
  return {
    attempt: attempts({ ...view, live: speaking }),
    release: [...contested(view.self, speaking), ...given(view)],
  };
}

/** How many stacks a replica has at most while so many replicas can take them. */
export function capacityOf(stacks: number, replicas: number): number {
  return Math.ceil(stacks / Math.max(1, replicas)) + 1;
}

/** Whoever has fewer has too few. */
function leastOf(stacks: number, replicas: number): number {
  return Math.floor(stacks / replicas);
}

function attempts({ self, live, stacks, freeMs, patienceMs }: FleetView): readonly string[] {
  const claimed = new Set([...live.values()].flatMap(({ holds, awaits }) => [...holds, ...awaits]));
  const counts = new Map([...live].map(([id, claims]) => [id, countOf(claims)]));
  const least = leastOf(stacks.length, live.size);
  const own: string[] = [];
  for (const stack of stacks) {
    if (claimed.has(stack)) continue;
    const able = ableReplicas(live, stack);
    const capacity = capacityOf(stacks.length, able.length);
    const below = (most: number): string[] => able.filter((id) => (counts.get(id) ?? 0) < most);
    // Whoever gives a stack back avoids it for a while, and so do those that cannot plan it: the share of the others is larger then.
    const first = [least, capacity - 1, capacity].reduce<string | undefined>(
      (found, most) => found ?? preferredFor(stack, below(most)),
      undefined,
    );
    const isOverdue = freeMs(stack) >= patienceMs && below(capacity).includes(self);
    if (first === self || isOverdue) own.push(stack);
    const taker = isOverdue ? self : first;
    if (taker !== undefined) counts.set(taker, (counts.get(taker) ?? 0) + 1);
  }
  return own;
}

/** What it waits for although another one has it, or prefers it more of those that wait. */
function contested(self: string, live: FleetView['live']): readonly string[] {
  const others = [...live].filter(([id]) => id !== self);
  return [...(live.get(self)?.awaits ?? [])].filter((stack) =>
    others.some(
      ([id, { holds, awaits }]) => holds.has(stack) || (awaits.has(stack) && preferredFor(stack, [self, id]) === id),
    ),
  );
}

/** What it gives to those that have too few: only of what it holds, so that no wait for a lock is in vain. */
function given({ self, live, silent, stacks, leaving }: FleetView): readonly string[] {
  if (silent.size > 0) return [];
  const kept = [...(live.get(self)?.holds ?? [])].filter((stack) => !leaving.has(stack));
  const counts = new Map([...live].map(([id, claims]) => [id, countOf(claims) - contested(id, live).length]));
  const least = leastOf(stacks.length, live.size);
  const short = [...live].filter(([id]) => id !== self && (counts.get(id) ?? 0) < least);
  const wanted = kept.flatMap((stack) => {
    const takers = short.filter(([, { avoids }]) => !avoids.has(stack)).map(([id]) => preference(id, stack));
    return takers.length === 0 ? [] : [{ stack, by: takers.reduce((a, b) => (a > b ? a : b)) }];
  });
  const spare = Math.max(0, givenBy(self, counts, least) - leaving.size);
  return wanted
    .sort((a, b) => (a.by < b.by ? 1 : -1))
    .slice(0, spare)
    .map(({ stack }) => stack);
}

/** How many stacks a replica gives so that all have the least: each time whoever has most gives one. All compute the same. */
function givenBy(self: string, had: ReadonlyMap<string, number>, least: number): number {
  const counts = [...had].map(([id, count]) => ({ id, count })).sort((a, b) => (a.id < b.id ? -1 : 1));
  let given = 0;
  for (;;) {
    const taker = counts.find(({ count }) => count < least);
    const giver = counts.reduce((most, one) => (one.count > most.count ? one : most));
    if (taker === undefined || giver.count <= least) return given;
    giver.count -= 1;
    taker.count += 1;
    if (giver.id === self) given += 1;
  }
}

/** Those that do not avoid a stack; where all of them do, it is better planned in vain than watched by nobody. */
function ableReplicas(live: FleetView['live'], stack: string): readonly string[] {
  const able = [...live].flatMap(([id, { avoids }]) => (avoids.has(stack) ? [] : [id]));
  return able.length > 0 ? able : [...live.keys()];
}

function countOf({ holds, awaits }: ReplicaClaims): number {
  return holds.size + awaits.size;
}
