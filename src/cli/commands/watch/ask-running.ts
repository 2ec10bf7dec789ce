import { SluiceError } from '../../../diagnostics/errors.ts';
import { systemReason } from '../../../diagnostics/system-reason.ts';
import { askWatch } from '../../../watch/control/ask-watch.ts';
import type { Context } from '../../context.ts';
import { withBackend } from '../../with-backend.ts';

/** What the running watch of this stack answers over its socket; throws if it cannot be reached. */
export async function askRunning(context: Context, what: '/reconcile' | '/status'): Promise<string> {
  return withBackend(context, async (backend) => {
    const { socketPath } = backend;
    const answer =
      socketPath === undefined
        ? { why: 'the state is in a shared store, so the watch may run on another machine' }
        : await askWatch(socketPath, what, context.io.signal).catch((error: unknown) => ({
            why: `${socketPath}: ${systemReason(error)}`,
          }));
    if (typeof answer === 'string') return answer;
    // The watch of a state that was moved away is where the state is.
    await backend.mustBeHere();
    throw notReachable(answer?.why ?? `nothing listens at ${socketPath ?? ''}`, what);
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
