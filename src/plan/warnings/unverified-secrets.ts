import type { Address } from '../../model/address.ts';
import type { Plan } from '../../model/plan/plan.ts';

/** A secret that the service hides and of which no state is known: it is unknown whether it equals the one in the manifest. */
export interface UnverifiedSecret {
  readonly address: Address;
  /** As a JSON pointer into the spec. */
  readonly field: string;
}

/** Every secret that a plan could not verify. */
export function unverifiedSecrets({ changes }: Pick<Plan, 'changes'>): UnverifiedSecret[] {
  return changes.flatMap(({ address, unverified }) => unverified.map((field) => ({ address, field })));
}
