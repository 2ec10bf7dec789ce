import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { validate, type ValidateFlags } from '../validate-command.ts';
import { onAllStacks } from './on-all-stacks.ts';
import type { AllFlags } from './stacks-of-run.ts';

/** Checks the manifests of every stack without contacting the service. */
export function validateAll(context: Context, flags: ValidateFlags & AllFlags): Promise<number> {
  if (context.format.result === undefined)
    throw new UsageError(
      'validate --all supports only the formats text, json and yaml',
      'run the command in each stack: sluice -C DIR validate',
    );
  return onAllStacks(context, flags, { name: 'validate', verb: 'Validating', command: (own) => validate(own, flags) });
}
