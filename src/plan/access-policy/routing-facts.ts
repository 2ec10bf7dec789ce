import type { Address } from '../../model/address.ts';
import type { InstanceKey } from '../order/plan-node.ts';
import type { RoutingNode } from '../routing/routing-model.ts';

/** What is not known of edges and routes, so that rules may not be provable. */
export interface RoutingFacts {
  /** Why a module of an instance is not known, by its name. */
  readonly unknownModules: ReadonlyMap<InstanceKey, ReadonlyMap<string, string>>;
  /** Routes of which it is not known which requests reach them, and why. */
  readonly unplaced: readonly { readonly address: Address; readonly node: RoutingNode; readonly fact: string }[];
}

/** Nothing is unknown. */
export const allKnown: RoutingFacts = { unknownModules: new Map(), unplaced: [] };
