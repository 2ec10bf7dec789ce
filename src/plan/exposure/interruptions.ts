/*
 * Traffic that stops, permanently or temporarily, reported for the change that stops it. The steps are tried out in their
 * order on the model of routing-model.ts, steps with the role `prepare` included: they interrupt traffic as well.
 *
 *   before                       after                                     reported for
 *   --------------------------   ---------------------------------------   --------------------------------------------
 *   an edge has the hostport     no edge has it                            the last step after which no edge has it
 *   requests reach a backend     they reach none                           the last step after which they reach none
 *   requests reach a backend     they do, but not during the apply         the first step after which they reach none
 *   clients use a name           the name is deleted                       the change of its resource
 */
import type { ServedEndpoint } from '../../kinds/served-endpoint.ts';
import type { SpecValue } from '../../kinds/value.ts';
import { compareText } from '../../model/compare-text.ts';
import { type Hazard, isReplacement } from '../../model/plan/plan.ts';
import type { Decision } from '../decide.ts';
import { instanceName, isUnmanaged, type PlanNode, type InstanceKey } from '../order/plan-node.ts';
import { isOfOthers, type Access } from './access.ts';
import { distinctUrls } from './class-url.ts';
import { settledEdgeOf } from './settled-edge.ts';
import { lostAtStep, reachabilityTraces, type ReachabilityTrace } from './reachability.ts';
import type { RouteGroup } from '../routing/request-classes.ts';
import { listSome } from '../warnings/list-some.ts';
import { applyStep, hostportsOf } from '../routing/routing-model.ts';
import { answeringFor } from '../../model/wildcards.ts';
import { addToGroup } from '../../model/group-by.ts';

type Served = readonly ServedEndpoint[] | undefined;

/** All interruptions of traffic, each reported once with all URLs that it concerns. */
export function interruptions(
  groups: readonly RouteGroup<PlanNode>[],
  changing: readonly Decision[],
  served: Served,
): Hazard[] {
  return [
    ...groups.flatMap((group) => stopsIn(group).map((stop) => hazardOf(stop, served))),
    ...changing.flatMap((decision) => namesLost(decision, served)),
  ].sort((a, b) => compareText(a.address, b.address) || compareText(a.message, b.message));
}

interface Stop {
  readonly step: PlanNode;
  /** The step after which they are served again. */
  readonly until?: PlanNode;
  /** Set if no edge has the hostports any more: the routes that are affected. */
  readonly behind?: readonly string[];
  /** Hostports with the affected paths; an empty list means all paths. */
  readonly places: Map<string, string[]>;
}

function stopsIn(routeGroup: RouteGroup<PlanNode>): Stop[] {
  // Nothing can stop if nothing exists yet, or if only access controls change.
  if (routeGroup.start.size === 0 || settledEdgeOf(routeGroup) !== undefined) return [];
  const stops = new Map<string, Stop>();
  const turns = new Map(routeGroup.nodes.map((node, index) => [node, index]));
  const turn = (node: PlanNode | undefined): number => (node === undefined ? -1 : (turns.get(node) ?? -1));
  const stop = (key: string, one: Omit<Stop, 'places'>, place: string, paths: readonly string[]): void => {
    const known = stops.get(key) ?? { ...one, places: new Map<string, string[]>() };
    known.places.set(place, [...(known.places.get(place) ?? []), ...paths]);
    const until = turn(one.until) > turn(known.until) ? one.until : known.until;
    stops.set(key, { ...known, ...(until === undefined ? {} : { until }) });
  };
  const used = new Map<string, ReachabilityTrace<PlanNode>[]>();
  for (const trace of reachabilityTraces(routeGroup, routeGroup.nodes)) {
    const { place, unclearHosts } = trace.tracked.requestClass;
    if (reachesBackend(trace.first) && unclearHosts === undefined && !isOfOthers(trace.first))
      addToGroup(used, place, trace);
  }
  const left = placesLeft(routeGroup);
  for (const [place, step] of left) {
    const behind = (used.get(place) ?? []).flatMap(({ first }) =>
      first.matchedBy === undefined ? [] : instanceName(first.matchedBy),
    );
    stop(`${step.id}\0unserved\0${behind.join()}`, { step, behind: [...new Set(behind)].sort() }, place, []);
  }
  for (const [place, traces] of used) {
    if (left.has(place)) continue;
    const stopped = traces.flatMap((trace) => {
      const gap = gapIn(trace);
      return gap === undefined ? [] : [{ ...gap, path: trace.tracked.requestClass.path.replace('\0', '…') }];
    });
    for (const { path, ...gap } of stopped) {
      const isPermanent = gap.until === undefined;
      const alike = stopped.filter(({ step, until }) => step === gap.step && (until === undefined) === isPermanent);
      const key = `${gap.step.id} ${isPermanent ? 'permanent' : 'temporary'}`;
      const isWhole = alike.length === traces.length && alike.some((other) => other.path === '/…');
      stop(key, gap, place, isWhole ? [] : [path]);
    }
  }
  return [...stops.values()];
}

/** The step after which requests that reached a backend reach none, and the one after which they do again. */
function gapIn(trace: ReachabilityTrace<PlanNode>): Pick<Stop, 'step' | 'until'> | undefined {
  const { moments, last } = trace;
  if (!reachesBackend(last)) {
    const step = lostAtStep(trace, reachesBackend);
    return step === undefined ? undefined : { step };
  }
  const step = moments.find((moment) => !reachesBackend(moment))?.step;
  const until = lostAtStep(trace, (moment) => !reachesBackend(moment));
  return step === undefined || until === undefined ? undefined : { step, until };
}

function reachesBackend({ reach }: Access): boolean {
  return reach === 'backend';
}

/** Hostports that an edge has now and none has afterwards, with the step that removes them. */
function placesLeft({ start, nodes }: RouteGroup<PlanNode>): Map<string, PlanNode> {
  const routing = new Map(start);
  const answering = new Map<string, number>();
  const count = (instance: InstanceKey, by: 1 | -1): void => {
    // What an edge of others answers with is not what was served.
    for (const place of isUnmanaged(instance) ? [] : hostportsOf(routing.get(instance)))
      answering.set(place, (answering.get(place) ?? 0) + by);
  };
  for (const instance of routing.keys()) count(instance, 1);
  const first = new Set(answering.keys());
  const left = new Map<string, PlanNode>();
  // For each wildcard, the hostports that it covers: it answers for them if no edge has them exactly.
  const meant = new Map<string, string[]>();
  for (const place of first) for (const one of answeringFor(place)) addToGroup(meant, one, place);
  const isAnswered = (place: string): boolean => answeringFor(place).some((one) => (answering.get(one) ?? 0) > 0);
  for (const step of nodes) {
    const { instance } = step.effect;
    const before = hostportsOf(routing.get(instance));
    count(instance, -1);
    applyStep(routing, step);
    count(instance, 1);
    const changed = [...before, ...hostportsOf(routing.get(instance))];
    for (const place of changed.flatMap((one) => meant.get(one) ?? [])) {
      if (isAnswered(place)) left.delete(place);
      else if (!left.has(place)) left.set(place, step);
    }
  }
  return left;
}

function hazardOf({ step, until, behind, places }: Stop, served: Served): Hazard {
  const { urls, remark } = urlsAt([...places.keys()], served);
  const names = [...places].flatMap(([place, paths]) =>
    (paths.length === 0 ? [''] : distinctUrls(paths)).map((path) => `${urls.get(place) ?? place}${path}`),
  );
  const what = `${listSome(names.sort())}${remark}`;
  const about = { code: 'INTERRUPTS_TRAFFIC', address: step.address } as const;
  if (behind !== undefined) {
    const inside = behind.length === 0 ? '' : `; affected routes: ${listSome(behind)}`;
    return { ...about, message: `${what} ${places.size === 1 ? 'is' : 'are'} no longer served${inside}` };
  }
  if (until === undefined) return { ...about, message: `requests to ${what} no longer reach a backend` };
  return {
    ...about,
    message: `requests to ${what} temporarily do not reach a backend: ${spanOf(step, until)}`,
    temporary: true,
  };
}

function spanOf(step: PlanNode, until: PlanNode): string {
  if (step.address !== until.address) return `from when ${stepPhrase(step)} until ${stepPhrase(until)}`;
  return until.role === 'create'
    ? 'while the resource is replaced'
    : 'while the resource swaps values with other resources';
}

function stepPhrase({ address, role }: PlanNode): string {
  return `${address} is ${role === 'create' ? 'created' : role === 'delete' ? 'deleted' : 'updated'}`;
}

/** Reports a name that clients use for a resource, and that is deleted together with it. */
function namesLost({ pair, action, spec }: Decision, served: Served): Hazard[] {
  const { kind, actual, address } = pair;
  if (kind.clientAddress === undefined || actual === undefined || (action !== 'delete' && !isReplacement(action)))
    return [];
  const { by, cutsOff } = kind.clientAddress;
  const name = nameOf(actual.spec[by] ?? actual.computed[by]);
  if (name !== '' && isReplacement(action) && nameOf(spec[by]) === name) return [];
  const active = served
    ?.filter((one) => one.address === actual.id || (name !== '' && one.hostport === name))
    .map(({ url }) => url);
  const about = { code: 'INTERRUPTS_TRAFFIC', address } as const;
  if (active !== undefined && active.length > 0)
    return [{ ...about, message: `${listSome(active.sort())} ${active.length === 1 ? 'is' : 'are'} no longer served` }];
  return cutsOff === undefined || name === '' ? [] : [{ ...about, message: `${name} is deleted: ${cutsOff}` }];
}

function nameOf(value: SpecValue | undefined): string {
  return typeof value === 'string' ? value.toLowerCase() : '';
}

/** The active public URLs of hostports, and a remark if the service does not report one. */
function urlsAt(
  places: readonly string[],
  served: Served,
): { readonly urls: ReadonlyMap<string, string>; readonly remark: string } {
  if (served === undefined) return { urls: new Map(), remark: '' };
  const wanted = new Set(places);
  const found = served.filter((one) => one.server !== undefined && one.url !== '' && wanted.has(one.hostport));
  const urls = new Map(found.map(({ hostport, url }) => [hostport, url]));
  if (urls.size > 0) return { urls, remark: '' };
  const showsSome = served.some(({ server }) => server !== undefined);
  const why = showsSome ? 'no active endpoint has this URL' : 'the service lists no active endpoint of an edge';
  return { urls, remark: ` (${why})` };
}
