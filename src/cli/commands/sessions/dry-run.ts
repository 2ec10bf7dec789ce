import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Context } from '../../context.ts';
import { doneWith } from '../../output/done-with.ts';
import { commandRequest, type Command } from './send-command.ts';
import type { Session } from './session.ts';

/** Prints the requests that commands would send to agents, in order, without sending them. */
export function printRequests(
  context: Context,
  wanted: readonly { readonly command: Command; readonly session: Session }[],
  facts: Readonly<Record<string, unknown>>,
): number {
  const requests = wanted.map(({ command, session }) => commandRequest(command, session));
  const lines = requests.map(({ method, path, body }) => `${method} ${safeText(path, 500)} ${JSON.stringify(body)}\n`);
  return doneWith(context, `${lines.join('')}Dry run: ${lines.length === 0 ? 'no matching agents are online; ' : ''}nothing was sent.\n`, { ...facts, dry_run: true, requests });
}
