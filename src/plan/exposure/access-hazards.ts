/*
 * How a plan changes who can reach which URLs (law 4, decisions/0045), for each request class:
 *
 *   last known      now                   after                           code
 *   -------------   -------------------   -----------------------------   ---------------------------------------------
 *                   reachable             reachable, requires less        OPENS_ACCESS
 *   reachable       not reachable         reachable, requires less        OPENS_ACCESS (again)
 *   requires more   requires less         as now                          OPENS_ACCESS (changed outside sluice)
 *                   not public            public, not listed              EXPOSES_PUBLICLY
 *   not public      public                                                PUBLICLY_EXPOSED
 *   unknown         public                reachable, not public           PUBLICLY_EXPOSED
 *                   public, not listed                                    PUBLICLY_EXPOSED
 *                   reachable             reachable, requires more        RESTRICTS_ACCESS
 *
 * "Last known" comes from state: the last applied specs, or for requests that are unreachable since, what they had to
 * satisfy when they were last reachable. Steps with the role `prepare` are left out: what they change, later steps undo.
 */
import type { ExposureChange } from '../../model/exposure/exposure-change.ts';
import type { Hazard, LastAccessChange } from '../../model/plan/plan.ts';
import { instanceName, type InstanceKey } from '../order/plan-node.ts';
import { isOfOthers, isPublicAccess, isReachable, type Access, type Method } from './access.ts';
import { hazardsOfFindings, type AccessFinding } from './access-findings.ts';
import { backendHazards } from './backends/backend-hazards.ts';
import { backendOpenings } from './backends/backend-openings.ts';
import type { BackendsBefore } from './backends/backends-before.ts';
import { backendsToRemember } from './backends/backends-to-remember.ts';
import { distinctUrls } from './class-url.ts';
import { exposureChangesOf, type ChangedClass } from './exposure-changes.ts';
import { newEdgeOf, type NewEdge } from './new-edge.ts';
import { newlyPublic } from './newly-public.ts';
import { addedAlready, gained, lost, type SecretComparison } from './access-differences.ts';
import type { AccessDifference } from './control-differences.ts';
import type { IdNaming } from './id-naming.ts';
import type { AccessMemory } from './last-access.ts';
import { accessToRemember } from './access-to-remember.ts';
import { listedBy, type MeantPublic } from './meant-public.ts';
import { settledEdgeOf } from './settled-edge.ts';
import { settledEdgeTraces } from './settled-edge-traces.ts';
import { lostAtStep, reachabilityTraces, type ReachabilityTrace } from './reachability.ts';
import type { RouteGroup } from '../routing/request-classes.ts';
import { classHistory, type ClassHistory } from './class-history.ts';

/** What the hazards depend on, besides the routing itself. */
export interface AccessContext extends Required<SecretComparison> {
  readonly memory: AccessMemory;
  readonly backends: BackendsBefore;
  /** Instances whose last applied spec is unknown. */
  readonly unknown: ReadonlySet<InstanceKey>;
  /** Edges that the plan no longer manages, and leaves in the account. */
  readonly released: ReadonlySet<InstanceKey>;
  readonly meant: MeantPublic | undefined;
  readonly named: IdNaming;
}

/** How a plan changes who can reach which URLs, and what state records of that. */
export interface AccessReview {
  readonly hazards: readonly Hazard[];
  readonly publicByPolicy: readonly string[];
  /** Computed on first use: many runs do not show it. */
  readonly exposureChanges: () => readonly ExposureChange[];
  readonly lastAccess: LastAccessChange;
}

/** Reviews all request classes for which a plan, or drift since the last apply, changes something. */
export function reviewAccess(groups: readonly RouteGroup[], context: AccessContext): AccessReview {
  const findings: AccessFinding[] = [];
  const listedUrls: string[] = [];
  const newEdges: NewEdge[] = [];
  const histories: ClassHistory[] = [];
  // Those of edges that are there already, or are not followed as a whole.
  const existing: ClassHistory[] = [];
  const released = [...context.released];
  for (const group of groups) {
    const isPlanAlone = context.memory.patterns.length === 0 && !released.some((edge) => group.start.has(edge));
    const added = isPlanAlone ? newEdgeOf(group) : undefined;
    if (added !== undefined) newEdges.push(added);
    const exposed =
      added === undefined || (context.meant !== undefined && !isProtected(added)) ? undefined : newlyPublic(added);
    if (exposed !== undefined) {
      for (const one of exposed) findings.push(one);
      continue;
    }
    const settled = isPlanAlone && context.meant === undefined ? settledEdgeOf(group) : undefined;
    for (const trace of settled === undefined ? tracesOf(group) : settledEdgeTraces(settled)) {
      const one = classHistory(group, trace, context);
      histories.push(one);
      if (added === undefined) existing.push(one);
      reportLess(one, context, findings);
      listedUrls.push(...reportPublic(one, context, findings));
      reportMore(one, context, findings);
    }
  }
  // Kept until the list is asked for, so without the steps in between.
  const changed = existing.map(({ trace, actual, after }): ChangedClass => ({
    requestClass: trace.tracked.requestClass,
    before: actual,
    after,
  }));
  let listed: readonly ExposureChange[] | undefined;
  const hazards = hazardsOfFindings(findings, context.named);
  const ofUrls = accessToRemember(histories, context.digest);
  const ofBackends = backendsToRemember(existing, newEdges, context);
  return {
    hazards: [...hazards, ...backendHazards(backendOpenings(existing, newEdges, context), context.named)],
    publicByPolicy: distinctUrls(listedUrls),
    exposureChanges: () => (listed ??= exposureChangesOf(changed, newEdges, context.named)),
    lastAccess: {
      remember: { ...ofUrls.remember, ...ofBackends.remember },
      forget: [...ofUrls.forget, ...ofBackends.forget],
    },
  };
}

/** The traces of the classes of a group. */
function tracesOf(group: RouteGroup): ReachabilityTrace[] {
  return reachabilityTraces(
    group,
    group.nodes.filter(({ role }) => role !== 'prepare'),
  );
}

function isProtected({ routes }: NewEdge): boolean {
  return routes.every((route) => route.isProtected);
}

/** Reports requests that have to satisfy less after than now, or than when they were last reachable. */
function reportLess(one: ClassHistory, context: AccessContext, findings: AccessFinding[]): void {
  const { last, now, after, moments, url } = one;
  const isAgain = !isReachable(now);
  const found: AccessDifference[] = [];
  for (const before of isAgain ? last : [now]) {
    const atLast = lost(before, after, context);
    const less = (moment: Access): AccessDifference[] => {
      if (moment === before) return [];
      return moment === after ? atLast : lost(before, moment, context);
    };
    for (const difference of atLast) {
      if (has(found, difference)) continue;
      found.push(difference);
      const step = lostAtStep({ moments }, (moment) => !has(less(moment), difference));
      if (step === undefined) continue;
      const how = isAgain ? 'again' : 'now';
      findings.push({ code: 'OPENS_ACCESS', address: step.address, cause: step, url, how, difference, before, after });
    }
  }
  if (isAgain || !one.hasDrifted || one.isOfOthers) return;
  for (const before of last)
    for (const difference of leftByPlan(before, now, after, { digest: context.digest })) {
      if (has(found, difference)) continue;
      found.push(difference);
      findings.push({
        code: 'OPENS_ACCESS',
        address: nameOf(after.matchedBy),
        url,
        how: 'outside',
        difference,
        before,
        after,
      });
    }
}

/** What drift has opened and a plan leaves so: all of it, or a part where the plan takes back or opens more of the same. */
function leftByPlan(before: Access, now: Access, after: Access, secrets: SecretComparison): AccessDifference[] {
  const outside = lost(before, now, secrets);
  if (outside.length === 0) return [];
  const [byPlan, undone] = [lost(now, after, secrets), lost(after, now, secrets)];
  return lost(before, after, secrets).flatMap((difference) => {
    if (has(outside, difference)) return [difference];
    const { allows } = difference;
    if (allows !== undefined) return addedAlready({ ...difference, allows }, outside);
    const alike = outside.find(({ of }) => of === difference.of);
    if (alike === undefined || has(byPlan, difference)) return [];
    return [undone.some(({ of }) => of === difference.of) ? difference : alike];
  });
}

const methods: readonly Method[] = ['any', 'OPTIONS'];

/** Reports requests that anyone may send now, or after. Returns the URLs that become public as all sources list them. */
function reportPublic(one: ClassHistory, { meant }: AccessContext, findings: AccessFinding[]): string[] {
  const listedUrls: string[] = [];
  const { trace, last, now, after, moments, url } = one;
  const listed = listedBy(meant, trace.tracked.requestClass);
  const isDeclared = meant?.repository !== undefined;
  // What others serve is theirs where no route takes the requests now, be it without a backend, and none of this stack took them.
  const isTheirsAlone = isOfOthers(after) && now.matchedBy === undefined && last.length === 0;
  for (const method of methods) {
    const [isNow, isAfter] = [isPublicAccess(now, method), isPublicAccess(after, method)];
    // What is reported for all methods is not reported again for OPTIONS.
    if (method === 'OPTIONS' && (isPublicAccess(now, 'any') || !isNow) && (isPublicAccess(after, 'any') || !isAfter))
      continue;
    const shown = method === 'any' ? url : `${method} ${url}`;
    const isNew = isAfter && !isTheirsAlone && (!isNow || (now.reach === 'policy' && after.reach === 'backend'));
    if (isNew && listed === 'all') listedUrls.push(shown);
    else if (isNew) {
      const step = lostAtStep({ moments }, (moment) => !isPublicAccess(moment, method) || moment.reach !== after.reach);
      if (step !== undefined)
        findings.push({
          code: 'EXPOSES_PUBLICLY',
          address: nameOf(after.route?.parent),
          cause: step,
          url: shown,
          how: !isDeclared || listed === 'repository' || method === 'OPTIONS' ? 'now' : 'unlisted',
          ...(listed === undefined || listed === 'all' ? {} : { listedBy: listed }),
          before: now,
          after,
        });
    }
    if (isNow && !one.isOfOthers && listed !== 'all' && listed !== 'repository') {
      const wasPublic = last.length > 0 && one.isLastItsOwn && last.every((access) => isPublicAccess(access, method));
      // What is adopted was not made public outside sluice as far as anybody knows.
      const isFirstSeen = one.isAdopted && last.length === 0;
      const isUnlisted = isDeclared && method === 'any' && !isNew;
      const isUnmeant = one.isUnknown && isReachable(after) && !isAfter;
      if (isUnlisted || (one.hasDrifted && !wasPublic && !isFirstSeen) || isUnmeant)
        findings.push({
          code: 'PUBLICLY_EXPOSED',
          address: nameOf(now.route?.parent),
          url: shown,
          how: isAfter ? 'stays' : 'ends',
          before: now,
          after,
          ...(wasPublic || !one.hasDrifted || last[0] === undefined ? {} : { lastApplied: last[0] }),
        });
    }
  }
  return listedUrls;
}

/** Reports requests that have to satisfy more after than now. */
function reportMore(one: ClassHistory, context: AccessContext, findings: AccessFinding[]): void {
  const { last, now, after, moments, url, hasDrifted } = one;
  const atLast = gained(now, after, context);
  if (atLast.length === 0) return;
  const more = (moment: Access): AccessDifference[] => {
    if (moment === now) return [];
    return moment === after ? atLast : gained(now, moment, context);
  };
  const before = hasDrifted ? last.flatMap((access) => gained(now, access, { digest: context.digest })) : [];
  for (const difference of atLast) {
    const step = lostAtStep({ moments }, (moment) => !isReachable(moment) || !has(more(moment), difference));
    if (step === undefined) continue;
    const how = has(before, difference) ? 'back' : 'now';
    const { address } = step;
    findings.push({ code: 'RESTRICTS_ACCESS', address, cause: step, url, how, difference, before: now, after });
  }
}

function has(differences: readonly AccessDifference[], one: AccessDifference): boolean {
  return differences.some(({ text }) => text === one.text);
}

function nameOf(instance: InstanceKey | undefined): string {
  return instance === undefined ? '' : instanceName(instance);
}
