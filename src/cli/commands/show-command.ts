import { safeText } from '../../diagnostics/safe-text.ts';
import { kinds } from '../../kinds/index.ts';
import { planJson } from '../../render/plan/plan-json.ts';
import { planText } from '../../render/plan/plan-text.ts';
import type { Context } from '../context.ts';
import { readPlanFile } from '../../stack/plan/plan-file.ts';
import { outputTarget, type CommentFlags } from '../ci.ts';

/** Shows a saved plan as of the time it was created. Reads neither the stack nor the service. */
export function show(context: Context, file: string, flags: CommentFlags & { readonly requests?: boolean }): number {
  const { plan, digest, savedAt, bound, verified, parts } = readPlanFile(context, file);
  const proof = { verified, parts };
  const text = (): string => planText(plan, { kinds, ...context.layout, requests: flags.requests === true, ...proof });
  return context.result(
    () =>
      `${text()}\nPlanned ${safeText(savedAt)} for ${safeText(bound.stack)} at ${safeText(bound.baseUrl)}. Digest ${safeText(digest)}\n`,
    () => ({ ...planJson(plan, { kinds, digest, ...proof }), saved_at: savedAt }),
    (format) => format.plan?.({ plan, digest, time: savedAt, ...proof }, outputTarget(context, flags)),
  );
}
