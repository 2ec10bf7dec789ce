import type { Kind } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import type { PlannedRequest, Step, StepRole } from '../../model/plan/plan.ts';

/** One instance of a resource: the existing one, the one that this plan creates, or an unmanaged one by its id. A replacement has the first two for a while. */
export type InstanceKey = `existing ${Address}` | `new ${Address}` | `unmanaged ${string}`;

/** The instance that exists now. */
export function existingInstance(address: Address): InstanceKey {
  return `existing ${address}`;
}

/** The instance that this plan creates. */
export function newInstance(address: Address): InstanceKey {
  return `new ${address}`;
}

/** The instance of a resource that this stack does not manage. */
export function unmanagedInstance(id: string): InstanceKey {
  return `unmanaged ${id}`;
}

/** Whether this plan creates an instance. */
export function isNew(instance: InstanceKey): boolean {
  return instance.startsWith('new ');
}

/** Whether this stack does not manage an instance. */
export function isUnmanaged(instance: InstanceKey): boolean {
  return instance.startsWith('unmanaged ');
}

/** The name of an instance in texts: its address, or `unmanaged ID`. */
export function instanceName(instance: InstanceKey): Address {
  return isUnmanaged(instance) ? instance : instance.slice(instance.indexOf(' ') + 1);
}

/** What a request does to the account, as far as routing needs to know. Null in `sets` removes a field. */
export type Effect =
  | {
      readonly type: 'begins';
      readonly instance: InstanceKey;
      readonly parent?: InstanceKey;
      readonly spec: SpecObject;
    }
  | {
      readonly type: 'changes';
      readonly instance: InstanceKey;
      readonly sets: SpecObject;
      /** From here on TLS passes through the edge, so that no module can read the requests. */
      readonly passesThrough?: true;
    }
  | { readonly type: 'ends'; readonly instance: InstanceKey };

/** Something that changes the account: a step, or what happened outside sluice since the last apply. */
export interface Movement {
  readonly address: Address;
  readonly kind: Kind;
  readonly role: StepRole | 'drift';
  readonly effect: Effect;
}

/** A step while its place in the order is being found. */
export interface PlanNode extends Movement {
  readonly id: string;
  readonly role: StepRole;
  readonly request: PlannedRequest;
  readonly note?: string;
  /** The steps that it depends on, with the reason; filled by plan/order. */
  readonly after: Map<PlanNode, string>;
}

/** Whether a step is another one, or depends on it, directly or not. Not recursive: a chain may be as long as the plan. */
export function waitsFor(step: PlanNode, other: PlanNode): boolean {
  const all = new Set([step]);
  for (const one of all) {
    if (one === other) return true;
    for (const earlier of one.after.keys()) all.add(earlier);
  }
  return false;
}

/** The finished step of a node. */
export function stepOf({ id, address, role, request, note, after }: PlanNode): Step {
  return {
    id,
    address,
    role,
    request,
    ...(note === undefined ? {} : { note }),
    dependsOn: [...after]
      .map(([node, reason]) => ({ step: node.id, reason }))
      .sort((a, b) => (a.step < b.step ? -1 : 1)),
  };
}
