import type { ServedEndpoint } from '../kinds/served-endpoint.ts';
import type { Hazard, Plan } from '../model/plan/plan.ts';
import { inSlices, type Pause } from '../model/sliced.ts';
import type { DecidedPlan } from './decide-plan.ts';
import { claimsNewHostports } from './exposure/hostport-conflicts.ts';
import type { PlanInput } from './input.ts';
import { planInSteps } from './plan.ts';
import { withReferencedValues } from './referenced-values.ts';

/** Hazards that contain more if the served endpoints are known. */
const depending: ReadonlySet<Hazard['code']> = new Set(['INTERRUPTS_TRAFFIC', 'LOSES_ADDRESS']);

/** Makes the plan, and asks what is served now only where something in the plan depends on it (law 9). */
export async function planWithEndpoints(
  input: PlanInput,
  ask: () => Promise<readonly ServedEndpoint[]>,
  pause?: Pause,
): Promise<{ readonly plan: Plan; readonly decided: DecidedPlan }> {
  const planned = (from: PlanInput): ReturnType<typeof planWithEndpoints> => inSlices(planInSteps(from), pause);
  const knowing = async (): Promise<PlanInput> => ({ ...input, account: { ...input.account, served: await ask() } });
  if (input.account.served !== undefined) return planned(input);
  if (claimsNewHostports((await inSlices(withReferencedValues(input), pause)).input)) return planned(await knowing());
  const first = await planned(input);
  return first.plan.hazards.some(({ code }) => depending.has(code)) ? planned(await knowing()) : first;
}
