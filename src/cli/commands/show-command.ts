import { kinds } from '../../kinds/index.ts';
import { planJson } from '../../render/plan/plan-json.ts';
import { planText } from '../../render/plan/plan-text.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { readPlanFile } from '../../stack/plan-file.ts';
import { commentText, type ReportFlags } from '../plan-reports.ts';

/** How to show a saved plan. */
export interface ShowFlags extends Pick<ReportFlags, 'platform' | 'maxBytes'> {
  readonly requests?: boolean;
}

/** Shows a saved plan as of the time it was created. Reads neither the stack nor the service. */
export async function show(context: Context, file: string, flags: ShowFlags): Promise<number> {
  const { plan, digest, savedAt, bound, verified } = readPlanFile(context, file);
  const proof = verified === undefined ? {} : { verified };
  const isComment = context.format === 'markdown';
  const facts = { digest, time: savedAt, dir: undefined, ...proof };
  const comment = isComment ? await commentText(context, plan, facts, flags) : '';
  const text = (): string => planText(plan, { kinds, ...context.layout, requests: flags.requests === true, ...proof });
  context.result(
    () =>
      isComment ? comment : `${text()}\nPlanned ${savedAt} for ${bound.stack} at ${bound.baseUrl}. Digest ${digest}\n`,
    () => ({ ...planJson(plan, { kinds, digest, ...proof }), saved_at: savedAt }),
  );
  return exitCodes.done;
}
