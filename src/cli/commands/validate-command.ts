import { counted } from '../../diagnostics/counted.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { DesiredStack } from '../../model/resource.ts';
import { diagnosticJson } from '../../render/diagnostics/diagnostic-json.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { loadDesired } from '../../stack/load-desired.ts';
import { readStackConfig, type StackConfig } from '../../stack/stack-config.ts';
import { annotateLines, annotated, inRepository } from '../plan-reports.ts';
import type { StackFlags } from '../../stack/stack-flags.ts';

/** What to check, and where to report problems. */
export interface ValidateFlags extends StackFlags {
  readonly githubAnnotations?: boolean;
}

/** Checks the manifests of a stack without contacting the service. */
export async function validate(context: Context, flags: ValidateFlags): Promise<number> {
  const open = await readStackConfig(context);
  if (context.format === 'sarif') return await validateAsSarif(context, open, flags);
  const { desired } = await annotated(context, flags, open.dir, () => loadDesired(context, open, flags, 'warning'));
  await annotateLines(context, flags, open.dir, desired.diagnostics);
  printSummary(context, desired);
  return exitCodes.done;
}

function printSummary(context: Context, { resources, diagnostics }: DesiredStack): void {
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
  context.result(
    () => {
      const valid = counted(resources.length, 'resource is valid', 'resources are valid');
      return `${valid}${warnings === 0 ? '' : `; ${counted(warnings, 'warning')}`}.\n`;
    },
    () => ({
      format_version: '1.0',
      valid: true,
      resources: resources.map(({ address }) => address),
      diagnostics: diagnostics.map(diagnosticJson),
    }),
  );
}

/** In SARIF, the problems are the result. */
async function validateAsSarif(context: Context, open: StackConfig, flags: ValidateFlags): Promise<number> {
  const { sarif } = await import('../../render/diagnostics/sarif.ts');
  const log = (diagnostics: readonly Diagnostic[]): void => {
    context.result(
      () => '',
      () => sarif(diagnostics, context.version, inRepository(context, open.dir)),
    );
  };
  try {
    const { desired } = await loadDesired(context, open, flags, 'warning');
    log(desired.diagnostics);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    log(error.diagnostics);
    return exitCodes.invalid;
  }
}
