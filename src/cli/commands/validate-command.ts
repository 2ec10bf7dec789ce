import { counted } from '../../diagnostics/counted.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DesiredStack } from '../../model/resource.ts';
import { diagnosticJson } from '../../render/diagnostics/diagnostic-json.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { loadDesired } from '../../stack/plan/load-desired.ts';
import { readStackConfig } from '../../stack/settings/stack-config.ts';
import { outputTarget } from '../output-target.ts';
import { annotateLines, annotated } from '../plan-reports.ts';
import type { StackFlags } from '../../stack/settings/stack-flags.ts';

/** What to check, and where to report problems. */
export interface ValidateFlags extends StackFlags {
  readonly githubAnnotations?: boolean;
}

/** Checks the manifests of a stack without contacting the service. */
export async function validate(context: Context, flags: ValidateFlags): Promise<number> {
  const open = await readStackConfig(context);
  const render = (diagnostics: readonly Diagnostic[]): string | undefined =>
    context.format.validation?.(diagnostics, outputTarget(context, {}, open.dir));
  try {
    const { desired } = await annotated(context, flags, open.dir, () => loadDesired(context, open, flags, 'warning'));
    const { resources, diagnostics } = desired;
    await annotateLines(context, flags, open.dir, diagnostics);
    context.result(
      () => summaryText(desired),
      () => ({
        format_version: '1.0',
        valid: true,
        resources: resources.map(({ address }) => address),
        diagnostics: diagnostics.map(diagnosticJson),
      }),
      () => render(diagnostics),
    );
    return exitCodes.done;
  } catch (error) {
    const problems = error instanceof InvalidInput ? render(error.diagnostics) : undefined;
    if (problems === undefined) throw error;
    context.io.out(problems);
    return exitCodes.invalid;
  }
}

function summaryText({ resources, diagnostics }: DesiredStack): string {
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
  const valid = counted(resources.length, 'resource is valid', 'resources are valid');
  return `${valid}${warnings === 0 ? '' : `; ${counted(warnings, 'warning')}`}.\n`;
}
