import { UsageError } from '../../stack/usage-error.ts';
import type { Context } from '../context.ts';

/** Throws if approval is required and nobody can be asked. */
export function requireApproval({ canAsk }: Context, { autoApprove }: { readonly autoApprove?: boolean }): void {
  if (autoApprove === true || canAsk) return;
  throw new UsageError(
    'approval is required, but there is no terminal to ask for it',
    'pass --auto-approve to skip the question',
  );
}
