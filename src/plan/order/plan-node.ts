import type { Kind } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { Address } from '../../model/address.ts';
import type { PlannedRequest, Step, StepRole } from '../../model/plan.ts';

/** One life of a resource: the one that is there, or the one to come. A replacement has both for a while. */
export type InstanceKey = string;

/** The life that is there now. */
export function existingInstance(address: Address): InstanceKey {
  return address;
}

/** The life that this plan begins. */
export function newInstance(address: Address): InstanceKey {
  return `${address} (new)`;
}

/** The address of a life, whichever it is. */
export function addressOfInstance(life: InstanceKey): Address {
  return life.replace(/ \(new\)$/, '');
}

/** What a request does to the account, for those who reason about order. Null in `sets` takes a field away. */
export type Effect =
  | { readonly type: 'begins'; readonly life: InstanceKey; readonly parent?: InstanceKey; readonly spec: SpecObject }
  | { readonly type: 'changes'; readonly life: InstanceKey; readonly sets: SpecObject }
  | { readonly type: 'ends'; readonly life: InstanceKey };

/** A step while its place in the order is being found. */
export interface PlanNode {
  readonly id: string;
  readonly address: Address;
  readonly kind: Kind;
  readonly role: StepRole;
  readonly request: PlannedRequest;
  readonly effect: Effect;
  readonly note?: string;
  /** What it waits for, and why; filled by plan/order. */
  readonly after: Map<PlanNode, string>;
}

/** A draft as a finished step. */
export function stepOf({ id, address, role, request, note, after }: PlanNode): Step {
  return {
    id,
    address,
    role,
    request,
    ...(note === undefined ? {} : { note }),
    after: [...after]
      .map(([draft, because]) => ({ step: draft.id, because }))
      .sort((a, b) => (a.step < b.step ? -1 : 1)),
  };
}
