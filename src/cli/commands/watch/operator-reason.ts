import { UsageError } from '../../../stack/usage-error.ts';
import { keptText, mostKept } from '../../../watch/kept-text.ts';

/** The reason that an operator gives, as it is kept; a long one is refused. */
export function operatorReason(reason: string | undefined): { readonly reason?: string } {
  if (reason === undefined) return {};
  if (reason.length > mostKept.reason)
    throw new UsageError(
      `--reason has ${String(reason.length)} characters; the limit is ${String(mostKept.reason)}`,
      'shorten the reason, or pass a link to it',
    );
  return { reason: keptText(reason, mostKept.reason) };
}
