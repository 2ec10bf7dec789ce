import type { SecretForm } from '../../derive/canonical.ts';
import { compareText } from '../../model/compare-text.ts';
import type { LastAccessChange } from '../../model/plan/plan.ts';
import type { LastAccess } from '../../model/state.ts';
import { accessOf, isOfOthers, isPublicAccess, isReachable, type Access } from './access.ts';
import { lost } from './access-differences.ts';
import { toLastAccess } from './last-access.ts';
import { keyOfClass, patternFinder, patternOfKey } from '../routing/request-patterns.ts';
import { partOf, routingAfter } from '../routing/routing-model.ts';
import { adopts, type ClassHistory } from './class-history.ts';
import { partialAccesses } from './partial-accesses.ts';

/**
 * What state records about request classes that are unreachable as applied, or may be if only a part of the plan is
 * applied, and about those of an edge that the plan releases: what their requests had to satisfy when they were last reachable.
 */
export function accessToRemember(histories: readonly ClassHistory[], digest: SecretForm): LastAccessChange {
  const remember = new Map<string, LastAccess>();
  const forget = new Set<string>();
  const reaching = new Set(
    histories.filter((one) => reachesOwn(one.after) && !one.isReleased && !leavesDrift(one, digest)),
  );
  for (const { trace, remembered } of reaching)
    if (remembered !== undefined && keyOfClass(trace.tracked.requestClass) === remembered.key)
      forget.add(remembered.key);
  for (const one of histories) {
    const { trace, remembered } = one;
    const undone = undoneControls(one, digest);
    const known = one.isReleased ? [one.after] : toRemember(one, digest);
    const accesses = undone.length === 0 ? known : [...known, ...undone];
    // State has the same already, under a key that is not removed, and what the plan leaves to drift does not hide it.
    const isKnown =
      remembered !== undefined &&
      accesses === remembered.accesses &&
      !forget.has(remembered.key) &&
      (one.isLastItsOwn || !one.hasDrifted);
    if (isKnown || (reaching.has(one) && undone.length === 0 && !mayEndUnreachable(one))) continue;
    const last = toLastAccess(accesses, digest);
    if (last.length === 0) continue;
    const own = keyOfClass(trace.tracked.requestClass);
    // If several edges share the hostport, any of them may have answered: record what each required.
    const all = [...(remember.get(own) ?? []), ...last];
    remember.set(own, [...new Map(all.map((known) => [JSON.stringify(known), known])).values()]);
    if (reaching.has(one)) forget.add(own);
  }
  // A class of which nothing is known gets an empty entry, so that a wider pattern that is recorded now does not cover it.
  const wider = patternFinder([...remember.keys()].flatMap((key) => patternOfKey(key) ?? []));
  for (const { trace, remembered, last, after } of histories) {
    if (remembered !== undefined || last.length > 0 || isReachable(after)) continue;
    const { requestClass } = trace.tracked;
    const own = keyOfClass(requestClass);
    if (!remember.has(own) && wider(requestClass) !== undefined) remember.set(own, []);
  }
  return {
    remember: Object.fromEntries([...remember].sort(([a], [b]) => compareText(a, b))),
    forget: [...forget].sort(),
  };
}

/** Whether requests reach something of this stack. What others require of them is theirs to change. */
function reachesOwn(access: Access): boolean {
  return isReachable(access) && !isOfOthers(access);
}

/** What was last required: as now and as last known, without the one that requires nothing more than the other. */
function toRemember(one: ClassHistory, digest: SecretForm): readonly Access[] {
  const { last, hasDrifted } = one;
  const access = leavesDrift(one, digest) ? one.after : one.now;
  // Drift made it unreachable. State may record a public access that never existed, because the parts of a route are applied one by one.
  if (!reachesOwn(access)) return hasDrifted ? withoutPublic(last) : last;
  if (!hasDrifted) return [access];
  if (last.length === 0) return isPublicAccess(access, 'any') ? [] : [access];
  const asksMore = last.filter((known) => lost(known, access, { digest }).length > 0);
  const isOpenedOnly = asksMore.some((known) => lost(access, known, { digest }).length === 0);
  if (!isOpenedOnly) return [...asksMore, access];
  return asksMore.length === last.length ? last : asksMore;
}

function withoutPublic(last: readonly Access[]): readonly Access[] {
  const closed = last.filter((access) => !isPublicAccess(access, 'any'));
  return closed.length === last.length ? last : closed;
}

/** Whether the plan leaves drift: requests are reachable after it, but by the specs in state they would be unreachable, or have to satisfy less. */
function leavesDrift({ group, trace: { tracked }, after, hasDrifted }: ClassHistory, digest: SecretForm): boolean {
  if (!hasDrifted || !reachesOwn(after)) return false;
  const { requestClass, instances, nodes } = tracked;
  // State loses the entry of a deleted resource, unless the plan targets other resources only.
  return [true, false].some((forgetsGone) => {
    const taken = nodes.filter((node) => {
      const isKnown = node.role !== 'drift' || adopts(node) || (forgetsGone && node.effect.type === 'ends');
      return node.role !== 'prepare' && isKnown;
    });
    const access = accessOf(requestClass, routingAfter(partOf(group.start, instances), taken), instances);
    return !isReachable(access) || lost(after, access, { digest }).length > 0;
  });
}

/** Whether requests may be unreachable if only some of the steps are applied. */
function mayEndUnreachable(one: ClassHistory): boolean {
  // If they are unreachable now without drift, state has an entry already.
  if (!isReachable(one.now)) return one.hasDrifted;
  return partialAccesses(one).some((access) => !isReachable(access));
}

/** Access controls that drift added and the plan removes, as now or after some of the steps: no spec in state contains them. */
function undoneControls(one: ClassHistory, digest: SecretForm): readonly Access[] {
  if (!one.hasDrifted || !reachesOwn(one.after)) return [];
  return partialAccesses(one).filter(
    // A temporary public access must not count as the last known one later.
    (access) => !isOfOthers(access) && !isPublicAccess(access, 'any') && lost(access, one.after, { digest }).length > 0,
  );
}
