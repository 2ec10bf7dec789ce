import type { ServedEndpoint } from '../kinds/served-endpoint.ts';
import type { Hazard, Plan } from '../model/plan.ts';
import { claimsNewHostports } from './exposure/hostport-conflicts.ts';
import type { PlanInput } from './input.ts';
import { planStack } from './plan.ts';

/** Hazards that say more once it is known what is served. */
const depending: ReadonlySet<Hazard['code']> = new Set(['INTERRUPTS_TRAFFIC', 'LOSES_ADDRESS']);

/** Makes the plan, and asks what is served now only where something in the plan depends on it (law 9). */
export async function planWithEndpoints(
  input: PlanInput,
  ask: () => Promise<readonly ServedEndpoint[]>,
): Promise<Plan> {
  const knowing = async (): Promise<PlanInput> => ({ ...input, account: { ...input.account, served: await ask() } });
  if (input.account.served !== undefined) return planStack(input);
  if (claimsNewHostports(input)) return planStack(await knowing());
  const plan = planStack(input);
  return plan.hazards.some(({ code }) => depending.has(code)) ? planStack(await knowing()) : plan;
}
