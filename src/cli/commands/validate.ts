import { diagnosticJson } from '../../render/diagnostic-json.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { loadDesired } from '../load-desired.ts';
import { openStack } from '../open-stack.ts';
import type { StackFlags } from '../stack-flags.ts';

/** Checks the manifests of a stack without speaking to the service. */
export async function validate(context: Context, flags: StackFlags): Promise<number> {
  const open = await openStack(context);
  const { desired } = await loadDesired(context, open, flags, 'warning');
  const { resources, diagnostics } = desired;
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
  context.result(
    () => {
      const valid = `${resources.length} ${resources.length === 1 ? 'resource is' : 'resources are'} valid`;
      return `${valid}${warnings === 0 ? '' : `; ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`}.\n`;
    },
    () => ({
      format_version: '1.0',
      valid: true,
      resources: resources.map(({ address }) => address),
      diagnostics: diagnostics.map(diagnosticJson),
    }),
  );
  return exitCodes.done;
}
