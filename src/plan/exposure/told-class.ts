import type { InstanceKey, Movement } from '../order/plan-node.ts';
import { isReachable, type Access } from './access.ts';
import { classUrl } from './class-url.ts';
import type { AccessMemory, RememberedAccess } from './last-access.ts';
import type { ReachabilityStep, ReachabilityTrace } from './reachability.ts';
import type { RouteGroup } from '../routing/request-classes.ts';
import { keyOfClass } from '../routing/request-patterns.ts';

/** A class with what it asked for when state last knew it, what it asks for now, and what it will. */
export interface ToldClass {
  readonly group: RouteGroup<Movement>;
  readonly trace: ReachabilityTrace<Movement>;
  readonly url: string;
  /** Several where drift had exchanged what it asked for when it last reached something. */
  readonly last: readonly Access[];
  /** It was told of this class, not of many requests among which its own are. */
  readonly isLastItsOwn: boolean;
  /** What state remembers of it, and under which key. */
  readonly remembered: RememberedAccess | undefined;
  readonly now: ReachabilityStep<Movement>;
  readonly after: ReachabilityStep<Movement>;
  /** From now on. */
  readonly moments: readonly ReachabilityStep<Movement>[];
  readonly hasDrifted: boolean;
  /** What was last applied where it arrives is not known. */
  readonly isUnknown: boolean;
}

/** Sums up what becomes of a class. */
export function toldClass(
  group: RouteGroup<Movement>,
  trace: ReachabilityTrace<Movement>,
  { memory, unknown }: { readonly memory: AccessMemory; readonly unknown: ReadonlySet<InstanceKey> },
): ToldClass {
  const { moments, first, last: after, tracked } = trace;
  const drifted = moments.findLastIndex(({ step }) => step?.role === 'drift');
  const from = Math.max(0, drifted);
  const now = moments[from] ?? first;
  const behind = [now.catcher, now.route?.parent].filter((instance) => instance !== undefined);
  const remembered = memory.of(tracked.requestClass);
  const isOwn = remembered !== undefined && remembered.key === keyOfClass(tracked.requestClass);
  return {
    group,
    trace,
    url: classUrl(tracked.requestClass),
    last: lastAccesses(first, now, remembered, isOwn),
    isLastItsOwn: isReachable(first) || isOwn,
    remembered,
    now,
    after,
    moments: moments.slice(from),
    hasDrifted: drifted !== -1,
    isUnknown: behind.some((instance) => unknown.has(instance)),
  };
}

/** As last applied, and as remembered: an apply that ended early may have applied a part since, and drift may have taken away what state knows. */
function lastAccesses(
  applied: Access,
  now: Access,
  remembered: RememberedAccess | undefined,
  isOwn: boolean,
): readonly Access[] {
  if (!isReachable(applied)) return remembered?.accesses ?? [];
  // What is remembered of many requests is older than what was applied for some of them since.
  return isOwn || !isReachable(now) ? [applied, ...(remembered?.accesses ?? [])] : [applied];
}
