import type { Movement } from '../order/plan-node.ts';
import { moduleEffects, reachOf } from '../routing/module-effects.ts';
import { pathOfSelector, widthOf } from '../routing/request-classes.ts';
import { classAt, hostportsOf, nodeAfter } from '../routing/routing-model.ts';
import type { ReachabilityStep, ReachabilityTrace } from './reachability.ts';
import type { SettledEdge, SettledRoute } from './settled-edge.ts';

/**
 * The traces of the requests to a settled edge for which a step changes what they must satisfy, or that are unreachable.
 * Same result as reachabilityTraces, without the moments that change nothing for them.
 */
export function settledEdgeTraces(edge: SettledEdge): ReachabilityTrace[] {
  const inTurn = sorter(edge);
  const isTraced = (route: SettledRoute): boolean =>
    route.steps.length + edge.steps.length > 0 || reachOf(route.node) === 'nothing';
  const some = edge.routes.filter(isTraced);
  const traced = (some.length < 2 ? some : inClassOrder(edge.routes).filter(isTraced)).map((route) => ({
    path: pathOfSelector(route.selector),
    ...momentsOf(route, edge, inTurn(route)),
  }));
  return [...new Set(hostportsOf(edge.node))].flatMap((place) =>
    traced.map(({ path, instances, nodes, ...accesses }) => ({
      tracked: { requestClass: classAt(place, path), instances, nodes },
      ...accesses,
    })),
  );
}

/** The access of the requests of a route after each step that changes the route or its edge. */
function momentsOf(
  { instance, node }: SettledRoute,
  edge: SettledEdge,
  nodes: readonly Movement[],
): Omit<ReachabilityTrace, 'tracked'> & Pick<ReachabilityTrace['tracked'], 'instances' | 'nodes'> {
  const { reach } = moduleEffects(node);
  let [route, around] = [node, edge.node];
  const first: ReachabilityStep = { reach, matchedBy: instance, route, edge: around };
  const moments = [first];
  for (const step of nodes) {
    if (step.effect.instance === instance) route = nodeAfter(route, step) ?? route;
    else around = nodeAfter(around, step) ?? around;
    moments.push({ reach, matchedBy: instance, route, edge: around, step });
  }
  return { instances: new Set([edge.instance, instance]), nodes, first, last: moments.at(-1) ?? first, moments };
}

/** The steps of a route and of its edge, in order. */
function sorter({ steps, allSteps }: SettledEdge): (route: SettledRoute) => readonly Movement[] {
  if (steps.length === 0) return (route) => route.steps;
  const turns = new Map(allSteps.map((step, turn) => [step, turn]));
  return (route) => [...route.steps, ...steps].sort((a, b) => (turns.get(a) ?? 0) - (turns.get(b) ?? 0));
}

/** Routes in the order of their classes: the widest first; routes with equal width stay in the order of the model. */
function inClassOrder(routes: readonly SettledRoute[]): SettledRoute[] {
  const byPath = new Map(routes.map((route) => [pathOfSelector(route.selector), route]));
  const paths = routes.flatMap(({ selector }) =>
    selector.exact ? [selector.path] : [pathOfSelector(selector), selector.path],
  );
  return [...new Set(paths.sort((a, b) => widthOf(a) - widthOf(b)))].flatMap((path) => byPath.get(path) ?? []);
}
