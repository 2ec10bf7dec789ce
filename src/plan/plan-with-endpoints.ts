import type { ServedEndpoint } from '../kinds/served-endpoint.ts';
import type { Hazard, Plan } from '../model/plan.ts';
import { decidePlan, type DecidedPlan } from './decide-plan.ts';
import { claimsNewHostports } from './exposure/hostport-conflicts.ts';
import type { PlanInput } from './input.ts';
import { planFrom } from './plan.ts';
import { withReferencedValues } from './referenced-values.ts';

/** Hazards that say more once it is known what is served. */
const depending: ReadonlySet<Hazard['code']> = new Set(['INTERRUPTS_TRAFFIC', 'LOSES_ADDRESS']);

/** Makes the plan, and asks what is served now only where something in the plan depends on it (law 9). */
export async function planWithEndpoints(
  input: PlanInput,
  ask: () => Promise<readonly ServedEndpoint[]>,
): Promise<{ readonly plan: Plan; readonly decided: DecidedPlan }> {
  const knowing = async (): Promise<PlanInput> => ({ ...input, account: { ...input.account, served: await ask() } });
  if (input.account.served !== undefined) return planned(input);
  if (claimsNewHostports(withReferencedValues(input).input)) return planned(await knowing());
  const first = planned(input);
  return first.plan.hazards.some(({ code }) => depending.has(code)) ? planned(await knowing()) : first;
}

function planned(input: PlanInput): { readonly plan: Plan; readonly decided: DecidedPlan } {
  const decided = decidePlan(input);
  return { plan: planFrom(decided), decided };
}
