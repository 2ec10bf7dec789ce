import { kinds } from '../../kinds/index.ts';
import { planJson } from '../../render/plan-json.ts';
import { planText } from '../../render/plan-text.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { readPlanFile } from '../plan-file.ts';

/** Shows a saved plan as it was when it was made. Neither the stack nor the service is asked. */
export function show(context: Context, file: string, flags: { readonly requests?: boolean }): number {
  const { plan, digest, savedAt, bound } = readPlanFile(context, file);
  context.result(
    () =>
      `${planText(plan, { kinds, ...context.layout, requests: flags.requests === true })}\nPlanned ${savedAt} for ${bound.stack} at ${bound.baseUrl}. Digest ${digest}\n`,
    () => ({ ...planJson(plan), digest, saved_at: savedAt }),
  );
  return exitCodes.done;
}
