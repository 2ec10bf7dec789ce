import type { SecretForm } from '../../derive/canonical.ts';
import type { LastAccessChange } from '../../model/plan.ts';
import type { LastAccess } from '../../model/state.ts';
import { accessOf, isPublicAccess, isReachable, type Access } from './access.ts';
import { lost } from './access-differences.ts';
import { toLastAccess } from './last-access.ts';
import { keyOfClass } from './request-patterns.ts';
import { applyStep, routingAfter } from './routing-model.ts';
import type { ToldClass } from './told-class.ts';

/** What state is to remember: with what requests last reached something, where they reach nothing after the plan, or if it is carried out in part. */
export function accessToRemember(told: readonly ToldClass[], digest: SecretForm): LastAccessChange {
  const remember = new Map<string, LastAccess>();
  const forget = new Set<string>();
  for (const { trace, key, after } of told)
    if (key !== undefined && isReachable(after) && keyOfClass(trace.tracked.requestClass) === key) forget.add(key);
  for (const one of told) {
    const { trace, key, last, after } = one;
    const access = toRemember(one, digest);
    const own = keyOfClass(trace.tracked.requestClass);
    // What is remembered already, under a key that stays, needs no other.
    const isKnown = access === last && key !== undefined && !forget.has(key);
    if (access === undefined || isKnown || (isReachable(after) && !mayEndUnreachable(one))) continue;
    const remembered = toLastAccess(access, digest);
    if (remembered !== undefined) remember.set(own, remembered);
    if (isReachable(after)) forget.add(own);
  }
  return { remember: Object.fromEntries([...remember].sort(byKey)), forget: [...forget].sort() };
}

/** What counts as asked for last: as it is now, unless somebody has opened it outside sluice. */
function toRemember({ now, last, hasDrifted }: ToldClass, digest: SecretForm): Access | undefined {
  if (!isReachable(now)) return last;
  if (!hasDrifted) return now;
  if (last === undefined) return isPublicAccess(now, 'any') ? undefined : now;
  return lost(last, now, digest).length > 0 ? last : now;
}

/** Whether requests may reach nothing where only some of the steps are carried out. */
function mayEndUnreachable({ group, trace: { tracked }, now }: ToldClass): boolean {
  const steps = tracked.nodes.filter(({ role }) => role !== 'drift');
  if (steps.length < 2 || !isReachable(now)) return false;
  const { requestClass, instances } = tracked;
  const routing = new Map([...group.start].filter(([instance]) => instances.has(instance)));
  for (const { role, effect, kind } of tracked.nodes) if (role === 'drift') applyStep(routing, effect, kind);
  const alone = steps.map(({ effect, kind }) => routingAfter(routing, effect, kind));
  const inTurn = steps.map(({ effect, kind }) => {
    applyStep(routing, effect, kind);
    return new Map(routing);
  });
  return [...alone, ...inTurn].some((one) => !isReachable(accessOf(requestClass, one, instances)));
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
