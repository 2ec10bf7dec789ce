/*
 * What a plan does to who can reach what (law 4, decisions/0045), for every class of requests:
 *
 *   last told    now                   after                              code
 *   ----------   -------------------   --------------------------------   ---------------------------------------------
 *                reachable             reachable, asks for less           OPENS_ACCESS
 *   reachable    not reachable         reachable, asks for less           OPENS_ACCESS (again)
 *   asks more    asks for less         as now                             OPENS_ACCESS (changed outside sluice)
 *                not public            public, not listed                 EXPOSES_PUBLICLY
 *   not public   public                                                   PUBLICLY_EXPOSED
 *   not known    public                reachable, not public              PUBLICLY_EXPOSED
 *                public, not listed                                       PUBLICLY_EXPOSED
 *                reachable             reachable, asks for more           RESTRICTS_ACCESS
 *
 * "Last told" is what state remembers: the last applied specs, and for what reaches nothing since, with what it last did.
 * Steps that only make room or safety for others are left out: what they take they give back.
 */
import type { SecretForm } from '../../derive/canonical.ts';
import type { ExposureChange } from '../../model/exposure/exposure-change.ts';
import type { Hazard, LastAccessChange } from '../../model/plan/plan.ts';
import { instanceName, type InstanceKey, type Movement } from '../order/plan-node.ts';
import { isPublicAccess, isReachable, type Access, type Method } from './access.ts';
import { AccessFindings } from './access-findings.ts';
import { exposureChangesOf, type ChangedClass } from './exposure-changes.ts';
import { newEdgeOf, type NewEdge } from './new-edge.ts';
import { newEdgeTraces } from './new-edge-traces.ts';
import { gained, lost, type AccessDifference } from './access-differences.ts';
import type { IdNaming } from './id-naming.ts';
import type { AccessMemory } from './last-access.ts';
import { accessToRemember } from './access-to-remember.ts';
import type { PublicList } from './public-list.ts';
import { settledEdgeOf } from './settled-edge.ts';
import { settledEdgeTraces } from './settled-edge-traces.ts';
import { lostAtStep, reachabilityTraces, type ReachabilityTrace } from './reachability.ts';
import type { RouteGroup } from '../routing/request-classes.ts';
import { toldClass, type ToldClass } from './told-class.ts';

/** What the hazards are judged by, beside the front door itself. */
export interface AccessContext {
  readonly memory: AccessMemory;
  /** What nobody knows the last applied spec of. */
  readonly unknown: ReadonlySet<InstanceKey>;
  readonly meant: PublicList | undefined;
  readonly digest: SecretForm;
  readonly named: IdNaming;
  /** Secrets that clients use and that are changed, a sentence each, by the instance. */
  readonly exchanged: ReadonlyMap<InstanceKey, readonly string[]>;
}

/** What a plan does to who can reach what, and what state is to remember of it. */
export interface AccessReview {
  readonly hazards: readonly Hazard[];
  readonly publicByPolicy: readonly string[];
  /** Found when it is first asked for: many runs never show it. */
  readonly exposureChanges: () => readonly ExposureChange[];
  readonly lastAccess: LastAccessChange;
}

/** Reviews all classes of requests that a plan, or somebody since the last apply, has changed something for. */
export function reviewAccess(groups: readonly RouteGroup<Movement>[], context: AccessContext): AccessReview {
  const findings = new AccessFindings(context.named);
  const changed: ChangedClass[] = [];
  const newEdges: NewEdge[] = [];
  const told: ToldClass[] = [];
  for (const group of groups) {
    const isPlanAlone = context.memory.patterns.length === 0;
    const added = isPlanAlone ? newEdgeOf(group) : undefined;
    const settled = isPlanAlone && context.meant === undefined ? settledEdgeOf(group) : undefined;
    if (added !== undefined) newEdges.push(added);
    for (const trace of settled === undefined ? tracesOf(group, added, context) : settledEdgeTraces(settled)) {
      const one = toldClass(group, trace, context);
      told.push(one);
      if (added === undefined)
        changed.push({ requestClass: trace.tracked.requestClass, before: one.now, after: one.after });
      reportLess(one, context, findings);
      reportPublic(one, context, findings);
      reportMore(one, context, findings);
    }
  }
  let listed: readonly ExposureChange[] | undefined;
  return {
    ...findings.all(),
    exposureChanges: () => (listed ??= exposureChangesOf(changed, newEdges, context.named)),
    lastAccess: accessToRemember(told, context.digest),
  };
}

/** What becomes of each class of a group; of a new edge, only of classes that there is something to say about. */
function tracesOf(
  group: RouteGroup<Movement>,
  added: NewEdge | undefined,
  { meant }: Pick<AccessContext, 'meant'>,
): readonly ReachabilityTrace<Movement>[] {
  if (added?.routes.every(({ isProtected }) => isProtected) === true) return [];
  const simple = added === undefined || meant !== undefined ? undefined : newEdgeTraces(added);
  return (
    simple ??
    reachabilityTraces(
      group,
      group.nodes.filter(({ role }) => role !== 'prepare'),
    )
  );
}

/** Requests that need less after than before, or than when they last reached something. */
function reportLess(one: ToldClass, context: AccessContext, findings: AccessFindings): void {
  const { last, now, after, moments, url } = one;
  const isAgain = !isReachable(now);
  const found: AccessDifference[] = [];
  for (const before of isAgain ? last : [now]) {
    const atLast = lost(before, after, context.digest);
    const less = (moment: Access): AccessDifference[] => {
      if (moment === before) return [];
      return moment === after ? atLast : lost(before, moment, context.digest);
    };
    for (const difference of atLast) {
      if (has(found, difference)) continue;
      found.push(difference);
      const step = lostAtStep({ moments }, (moment) => !has(less(moment), difference));
      if (step === undefined) continue;
      const how = isAgain ? 'again' : 'now';
      findings.add({ code: 'OPENS_ACCESS', address: step.address, cause: step, url, how, difference, before, after });
    }
  }
  if (isAgain || !one.hasDrifted) return;
  for (const before of last) {
    const outside = lost(before, now, context.digest);
    for (const difference of lost(before, after, context.digest)) {
      if (!has(outside, difference) || has(found, difference)) continue;
      found.push(difference);
      findings.add({ code: 'OPENS_ACCESS', address: nameOf(after), url, how: 'outside', difference, before, after });
    }
  }
}

const methods: readonly Method[] = ['any', 'OPTIONS'];

/** Requests that anybody may send now, or after. */
function reportPublic(one: ToldClass, { meant }: AccessContext, findings: AccessFindings): void {
  const { trace, last, now, after, moments, url } = one;
  const isListed = meant?.lists(trace.tracked.requestClass) === true;
  for (const method of methods) {
    const [isNow, isAfter] = [isPublicAccess(now, method), isPublicAccess(after, method)];
    // What holds for all requests holds for OPTIONS too.
    if (method === 'OPTIONS' && (isPublicAccess(now, 'any') || !isNow) && (isPublicAccess(after, 'any') || !isAfter))
      continue;
    const shown = method === 'any' ? url : `${method} ${url}`;
    const isNew = isAfter && (!isNow || (now.reach === 'policy' && after.reach === 'backend'));
    if (isNew && isListed) findings.addByPolicy(shown);
    else if (isNew) {
      const step = lostAtStep({ moments }, (moment) => !isPublicAccess(moment, method) || moment.reach !== after.reach);
      if (step !== undefined)
        findings.add({
          code: 'EXPOSES_PUBLICLY',
          address: edgeName(after),
          cause: step,
          url: shown,
          how: meant === undefined || method === 'OPTIONS' ? 'now' : 'unlisted',
          before: now,
          after,
        });
    }
    if (isNow && !isListed) {
      const wasPublic = last.length > 0 && one.isLastItsOwn && last.every((told) => isPublicAccess(told, method));
      const isUnlisted = meant !== undefined && method === 'any' && !isNew;
      const isUnmeant = one.isUnknown && isReachable(after) && !isAfter;
      if (isUnlisted || (one.hasDrifted && !wasPublic) || isUnmeant)
        findings.add({
          code: 'PUBLICLY_EXPOSED',
          address: edgeName(now),
          url: shown,
          how: isAfter ? 'stays' : 'ends',
          before: now,
          after,
          ...(wasPublic || !one.hasDrifted || last[0] === undefined ? {} : { told: last[0] }),
        });
    }
  }
}

/** Requests that need more after than now. */
function reportMore(one: ToldClass, context: AccessContext, findings: AccessFindings): void {
  const { last, now, after, moments, url, hasDrifted } = one;
  const atLast = gained(now, after, context.digest, context.exchanged);
  if (atLast.length === 0) return;
  const more = (moment: Access): AccessDifference[] => {
    if (moment === now) return [];
    return moment === after ? atLast : gained(now, moment, context.digest, context.exchanged);
  };
  const before = hasDrifted ? last.flatMap((told) => gained(now, told, context.digest, new Map())) : [];
  for (const difference of atLast) {
    const step = lostAtStep({ moments }, (moment) => !isReachable(moment) || !has(more(moment), difference));
    if (step === undefined) continue;
    const how = has(before, difference) ? 'back' : 'now';
    findings.add({
      code: 'RESTRICTS_ACCESS',
      address: step.address,
      cause: step,
      url,
      how,
      difference,
      before: now,
      after,
    });
  }
}

function has(differences: readonly AccessDifference[], one: AccessDifference): boolean {
  return differences.some(({ key }) => key === one.key);
}

function nameOf({ catcher }: Access): string {
  return catcher === undefined ? '' : instanceName(catcher);
}

function edgeName(access: Access): string {
  const edge = access.route?.parent;
  return edge === undefined ? nameOf(access) : instanceName(edge);
}
