import type { SecretForm } from '../../derive/canonical.ts';
import { compareText } from '../../model/compare-text.ts';
import type { LastAccessChange } from '../../model/plan/plan.ts';
import type { LastAccess } from '../../model/state.ts';
import { accessOf, isPublicAccess, isReachable, type Access } from './access.ts';
import { lost } from './access-differences.ts';
import { toLastAccess } from './last-access.ts';
import { bestPattern, keyOfClass, patternOfKey } from '../routing/request-patterns.ts';
import { applyStep, partOf, routingAfter } from '../routing/routing-model.ts';
import type { ToldClass } from './told-class.ts';

/** What state is to remember: with what requests last reached something, where they reach nothing as applied, or if the plan is carried out in part. */
export function accessToRemember(told: readonly ToldClass[], digest: SecretForm): LastAccessChange {
  const remember = new Map<string, LastAccess>();
  const forget = new Set<string>();
  const reaching = new Set(told.filter((one) => isReachable(one.after) && !leavesDrift(one, digest)));
  for (const { trace, remembered } of reaching)
    if (remembered !== undefined && keyOfClass(trace.tracked.requestClass) === remembered.key)
      forget.add(remembered.key);
  for (const one of told) {
    const { trace, remembered } = one;
    const undone = undoneControls(one, digest);
    const known = toRemember(one, digest);
    const accesses = undone.length === 0 ? known : [...known, ...undone];
    // What is remembered already, under a key that stays, needs no other.
    const isKnown = remembered !== undefined && accesses === remembered.accesses && !forget.has(remembered.key);
    if (isKnown || (reaching.has(one) && undone.length === 0 && !mayEndUnreachable(one))) continue;
    const last = toLastAccess(accesses, digest);
    if (last.length === 0) continue;
    const own = keyOfClass(trace.tracked.requestClass);
    // Of edges that share a hostport any may have answered: what each required is remembered.
    remember.set(own, distinct([...(remember.get(own) ?? []), ...last]));
    if (reaching.has(one)) forget.add(own);
  }
  // What reached nothing is no part of the wider pattern that is remembered now.
  const patterns = [...remember.keys()].flatMap((key) => patternOfKey(key) ?? []);
  for (const { trace, remembered, last, now, after } of told) {
    const { requestClass } = trace.tracked;
    if (remembered !== undefined || last.length > 0 || isReachable(now) || isReachable(after)) continue;
    if (bestPattern(patterns, requestClass) !== undefined) remember.set(keyOfClass(requestClass), []);
  }
  return {
    remember: Object.fromEntries([...remember].sort(([a], [b]) => compareText(a, b))),
    forget: [...forget].sort(),
  };
}

/** What counts as asked for last: as it is now and as last told, without what asks for nothing more than the other. */
function toRemember(one: ToldClass, digest: SecretForm): readonly Access[] {
  const { last, hasDrifted } = one;
  const access = leavesDrift(one, digest) ? one.after : one.now;
  // What drift took the way to may never have been public, although state knows it so: its parts come one by one.
  if (!isReachable(access)) return hasDrifted ? withoutPublic(last) : last;
  if (!hasDrifted) return [access];
  if (last.length === 0) return isPublicAccess(access, 'any') ? [] : [access];
  const asksMore = last.filter((told) => lost(told, access, digest).length > 0);
  const isOpenedOnly = asksMore.some((told) => lost(access, told, digest).length === 0);
  if (!isOpenedOnly) return [...asksMore, access];
  return asksMore.length === last.length ? last : asksMore;
}

function withoutPublic(last: readonly Access[]): readonly Access[] {
  return last.some((access) => isPublicAccess(access, 'any'))
    ? last.filter((access) => !isPublicAccess(access, 'any'))
    : last;
}

/** Whether requests reach something after the plan, but nothing, or with less, by what state will know: the plan leaves the drift that makes it so. */
function leavesDrift({ group, trace: { tracked }, after, hasDrifted }: ToldClass, digest: SecretForm): boolean {
  if (!hasDrifted || !isReachable(after)) return false;
  const { requestClass, instances, nodes } = tracked;
  // State forgets what is gone, or keeps it where the plan is for other resources.
  return [true, false].some((forgetsGone) => {
    const known = partOf(group.start, instances);
    for (const { role, effect, kind } of nodes)
      if (role !== 'prepare' && (role !== 'drift' || (forgetsGone && effect.type === 'ends')))
        applyStep(known, effect, kind);
    const access = accessOf(requestClass, known, instances);
    return !isReachable(access) || lost(after, access, digest).length > 0;
  });
}

/** Whether requests may reach nothing where only some of the steps are carried out. */
function mayEndUnreachable(one: ToldClass): boolean {
  // What reached nothing before, without drift, is remembered already.
  if (!isReachable(one.now)) return one.hasDrifted;
  return !isDoneAtOnce(one) && partialAccesses(one).some((access) => !isReachable(access));
}

/** What drift requires that the plan takes back, as it is now or where only some of the steps are carried out: no spec in state knows of that. */
function undoneControls(one: ToldClass, digest: SecretForm): readonly Access[] {
  if (!one.hasDrifted || !isReachable(one.after)) return [];
  return [one.now, ...partialAccesses(one)].filter(
    // That something may be public for a while is no reason to take it for public later.
    (access) => !isPublicAccess(access, 'any') && lost(access, one.after, digest).length > 0,
  );
}

function isDoneAtOnce({ trace: { tracked } }: ToldClass): boolean {
  return tracked.nodes.filter(({ role }) => role !== 'drift').length < 2;
}

/** What becomes of the requests of a class by each step alone, and by the first steps. */
function partialAccesses({ group, trace: { tracked } }: ToldClass): Access[] {
  const { requestClass, instances, nodes } = tracked;
  const routing = partOf(group.start, instances);
  for (const { role, effect, kind } of nodes) if (role === 'drift') applyStep(routing, effect, kind);
  const steps = nodes.filter(({ role }) => role !== 'drift');
  const alone = steps.map(({ effect, kind }) => routingAfter(routing, effect, kind));
  const inTurn = steps.map(({ effect, kind }) => {
    applyStep(routing, effect, kind);
    return new Map(routing);
  });
  return [...alone, ...inTurn].map((one) => accessOf(requestClass, one, instances));
}

function distinct(last: LastAccess): LastAccess {
  return [...new Map(last.map((one) => [JSON.stringify(one), one])).values()];
}
