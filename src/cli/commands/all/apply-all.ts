import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { apply, type ApplyFlags } from '../apply-command.ts';
import { onAllStacks } from './on-all-stacks.ts';
import type { AllFlags } from './stacks-of-run.ts';

/** Makes the changes required by the manifests of every stack. */
export function applyAll(context: Context, saved: string | undefined, flags: ApplyFlags & AllFlags): Promise<number> {
  if (saved !== undefined)
    throw new UsageError(
      'a saved plan is for one stack and cannot be combined with --all',
      'to apply all stacks in a directory, use --all DIR',
    );
  return onAllStacks(context, flags, {
    name: 'apply',
    verb: 'Applying',
    question: 'Apply the changes of all these stacks?',
    command: (own) => apply(own, flags),
  });
}
