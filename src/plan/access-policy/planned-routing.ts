import type { SecretForm } from '../../derive/canonical.ts';
import type { DecidedPlan } from '../decide-plan.ts';
import type { ExchangedSecrets } from '../exposure/access-differences.ts';
import { exchangedSecrets } from '../exposure/exchanged-secrets.ts';
import { idNaming, type IdNaming } from '../exposure/id-naming.ts';
import { routingAfter, type RoutingModel } from '../routing/routing-model.ts';
import type { Movement } from '../order/plan-node.ts';

/** The edges and routes of a stack as they are now, and as a plan leaves them. */
export interface PlannedRouting {
  readonly now: RoutingModel;
  readonly planned: RoutingModel;
  readonly named: IdNaming;
  readonly steps: readonly Movement[];
  readonly digest: SecretForm;
  /** The secrets that clients use and that the plan exchanges; found when they are asked for. */
  readonly exchanged: () => ExchangedSecrets;
}

/** Carries the steps of a plan out on the model. */
export function plannedRouting({ decisions, changing, ordered, input }: DecidedPlan): PlannedRouting {
  const { nodes, routing: now } = ordered;
  return {
    now,
    planned: routingAfter(now, nodes),
    steps: nodes,
    named: idNaming(decisions, input),
    digest: input.digest,
    exchanged: () => exchangedSecrets(changing),
  };
}
