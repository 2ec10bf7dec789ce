import { SluiceError } from '../../../diagnostics/errors.ts';
import { systemReason } from '../../../diagnostics/system-reason.ts';
import { askWatch } from '../../../watch/control/ask-watch.ts';
import type { Context } from '../../context.ts';
import { withBackend } from '../../with-backend.ts';

/** What the running watch of this stack answers over its socket; throws if it cannot be reached. */
export async function askRunning(context: Context, what: '/reconcile' | '/status'): Promise<string> {
  return withBackend(context, async ({ socketPath }) => {
    if (socketPath === undefined)
      throw notReachable('the state is in a shared store, so the watch may run on another machine', what);
    const answer = await askWatch(socketPath, what, context.io.signal).catch((error: unknown) => {
      throw notReachable(`${socketPath}: ${systemReason(error)}`, what);
    });
    if (answer === undefined) throw notReachable(`nothing listens at ${socketPath}`, what);
    return answer;
  });
}

function notReachable(why: string, what: '/reconcile' | '/status'): SluiceError {
  const here = `run \`sluice ${what.slice(1)}\` on the machine where the active \`sluice watch\` (the leader) runs, as the same user`;
  return new SluiceError('WATCH_NOT_REACHABLE', `the watch of this stack cannot be reached: ${why}`, {
    hint:
      what === '/status'
        ? `${here}, or pass the URL of the status page of the watch with --url; if no watch runs, run \`sluice plan\``
        : here,
  });
}
