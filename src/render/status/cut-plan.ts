import { counted } from '../../diagnostics/counted.ts';

const longest = 12_000;

/** The text of a plan, cut to what a page can show. */
export function cutPlan(plan: string): string {
  return plan.length <= longest
    ? plan.trimEnd()
    : `${plan.slice(0, longest)}\n… ${counted(plan.length - longest, 'character')} more`;
}
