/*
 * The order of requests, found in five passes over the same nodes. Each pass only adds dependencies to steps, with the
 * reason; nothing else decides when a step may run.
 *
 *   pass         a step depends on                                          because
 *   ----------   --------------------------------------------------------   --------------------------------------
 *   references   the creation of what it refers to; a deletion, on the      ids are known only then; the service
 *                updates that remove references to the deleted resource     refuses to delete what is in use
 *   trades       the step that releases a unique value which it takes       the service refuses the second holder
 *   replacement  the creation of what the new resource refers to, where     if a creation fails, nothing is lost
 *                the old one is deleted first
 *   traffic      steps that must come first so that no request bypasses     law 4
 *                an access control in between
 *   one by one   the previous step on the same instance                     the last writer wins; answers would race
 *
 * Everything else runs in parallel. Steps are listed in an order that a reader can follow: each after its dependencies,
 * creations and updates before deletions, else by address (law 8).
 */
import { byAddress } from '../../model/group-by.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { SluiceError } from '../../diagnostics/errors.ts';
import type { Account } from '../../model/actual.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';
import { inDependencyOrder } from '../../model/ready-queue.ts';
import { mapSliced, type Sliced } from '../../model/sliced.ts';
import type { DecidedResources } from '../decide-resources.ts';
import type { Decisions } from '../decide.ts';
import { currentRouting } from '../routing/current-routing.ts';
import type { RoutingModel } from '../routing/routing-model.ts';
import { routingPartition, type RoutingPartition } from '../routing/routing-partition.ts';
import { existingInstance, unmanagedInstance, type InstanceKey, type PlanNode } from './plan-node.ts';
import { keepUntilReplaceable } from './keep-until-replaceable.ts';
import { orderReferences } from './order-references.ts';
import { orderTraffic, type TemporaryAccess } from './order-traffic.ts';
import { orderTrades } from './order-trades.ts';
import { requestsOf, type InstanceOfId } from '../requests.ts';

/** The steps with all their dependencies, and what later parts of the plan need of this analysis. */
export interface OrderedSteps {
  /** Each after all its dependencies. */
  readonly nodes: readonly PlanNode[];
  /** The edges and routes as they are now. */
  readonly routing: RoutingModel;
  readonly partition: RoutingPartition;
  readonly temporary: TemporaryAccess;
  readonly diagnostics: readonly Diagnostic[];
}

/** Puts the requests of all decisions in order. */
export function* orderChanges({ decisions, changing, input }: DecidedResources): Sliced<OrderedSteps> {
  const instanceOf = instanceFinder(decisions, input.account);
  const requests = yield* mapSliced(changing, (decision) => requestsOf(decision, input.stack.profile, instanceOf));
  const nodes = requests.flat();
  const referenced = orderReferences(decisions, nodes, input);
  yield;
  const taken = yield* orderTrades(decisions, nodes, input);
  keepUntilReplaceable(decisions, nodes);
  yield;
  const routing = currentRouting(decisions, input.account, input.kinds);
  yield;
  const partition = routingPartition(routing, nodes);
  yield;
  const temporary = orderTraffic({ routing, partition }, decisions, nodes, input);
  yield;
  const listed = list(nodes);
  yield;
  oneByOne(listed);
  return { nodes: listed, routing, partition, temporary, diagnostics: [...referenced, ...taken] };
}

/** Finds instances: those of this stack, also what the plan does not target, or else unmanaged ones. */
function instanceFinder(decisions: Decisions, { ours }: Account): InstanceOfId {
  // Computed on first use: only what is created inside something else needs it.
  let known: ReadonlyMap<string, InstanceKey> | undefined;
  return (id) => {
    known ??= new Map([
      ...[...ours].map(([address, actual]) => [actual.id, existingInstance(address)] as const),
      ...[...decisions.values()].flatMap(({ pair: { actual, address } }) =>
        actual === undefined ? [] : [[actual.id, existingInstance(address)] as const],
      ),
    ]);
    return known.get(id) ?? unmanagedInstance(id);
  };
}

/** Steps that change one instance of a resource run one after the other, in the order they are listed. */
function oneByOne(listed: readonly PlanNode[]): void {
  for (const own of byAddress(listed).values()) {
    own.forEach((step, index) => {
      const earlier = own[index - 1];
      if (earlier?.effect.instance === step.effect.instance && !step.after.has(earlier))
        step.after.set(earlier, 'one request at a time per resource');
    });
  }
}

/** Sorts steps: each after its dependencies; among those that are ready, creations and updates first, then by address. */
function list(nodes: readonly PlanNode[]): PlanNode[] {
  const rank = ({ role }: PlanNode): number => (role === 'delete' ? 1 : 0);
  const sorted = [...nodes].sort((a, b) => rank(a) - rank(b) || inNaturalOrder(a.address, b.address));
  const listed = inDependencyOrder(sorted, ({ after }) => after.keys());
  if (listed.length === nodes.length) return listed;
  const stuck = nodes.filter((step) => !listed.includes(step)).map(({ id }) => id);
  throw new SluiceError('DEPENDENCY_CYCLE', `these API requests form a dependency cycle: ${stuck.join('; ')}`);
}
