import type { Context } from '../../context.ts';
import { plan, type PlanFlags } from '../plan-command.ts';
import { onAllStacks } from './on-all-stacks.ts';
import type { AllFlags } from './stacks-of-run.ts';

/** Shows what `apply --all` would do. */
export function planAll(context: Context, flags: PlanFlags & AllFlags): Promise<number> {
  return onAllStacks(context, flags, { name: 'plan', verb: 'Planning', command: (own) => plan(own, flags) });
}
