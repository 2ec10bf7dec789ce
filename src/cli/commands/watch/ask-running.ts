import { SluiceError } from '../../../diagnostics/errors.ts';
import { systemReason } from '../../../diagnostics/system-reason.ts';
import { statusJsonSchema, type StatusJson } from '../../../render/status/status-json-schema.ts';
import type { Backend } from '../../../state/backend.ts';
import { askWatch, WatchSilent } from '../../../watch/control/ask-watch.ts';
import type { Context } from '../../context.ts';
import { withWatchBackend } from '../../with-backend.ts';

/** What the running watch of this stack answers over its socket; throws if it cannot be reached, or does not respond. */
export async function askRunning(context: Context, what: '/reconcile' | '/status'): Promise<string> {
  const { signal } = context.io;
  return withWatchBackend(context, async (backend) => {
    const { socketPath } = backend;
    const onAccepted = (): void => context.log('info', 'Waiting until the watch has reconciled the stack');
    const answer =
      socketPath === undefined
        ? { why: 'the state is in a shared store, so `sluice watch` may be running on another machine' }
        : await askWatch(socketPath, what, { signal, onAccepted }).catch(async (error: unknown) => {
            if (signal.aborted) throw new SluiceError('INTERRUPTED', 'interrupted while waiting for the watch');
            if (error instanceof WatchSilent) throw await silent(socketPath, error, backend);
            return { why: `${socketPath}: ${systemReason(error)}` };
          });
    if (typeof answer === 'string') return answer;
    // The watch of a state that was moved away is where the state is.
    await backend.mustBeHere();
    throw notReachable(answer?.why ?? `no process listens at ${socketPath ?? ''}`, what);
  });
}

function notReachable(why: string, what: '/reconcile' | '/status'): SluiceError {
  const here = `run \`sluice ${what.slice(1)}\` on the machine where the active \`sluice watch\` (the leader) runs, as the same user`;
  return new SluiceError('WATCH_NOT_REACHABLE', `the watch of this stack cannot be reached: ${why}`, {
    hint:
      what === '/status'
        ? `${here}, or pass the URL of the status page of the watch with --url; if no watch runs, run \`sluice plan\``
        : `${here}; if no watch runs, start one with \`sluice watch\`, which reconciles at once; nothing was recorded`,
  });
}

/** A stopped process keeps its lock, so the lock says which one it is. */
async function silent(socketPath: string, { message }: WatchSilent, backend: Backend): Promise<SluiceError> {
  const holder = (await backend.lockHolder().catch(() => undefined))?.text;
  const lock = holder === undefined ? '' : `; the holder of the lock is ${holder}`;
  return new SluiceError(
    'WATCH_NOT_REACHABLE',
    `the watch of this stack does not respond: ${socketPath}: ${message}${lock}`,
    { hint: 'if the process of the watch is stopped, continue it with `kill -CONT`; if it hangs, restart it' },
  );
}

/** The status of a stack in what a watch, or the page of one, returned. Throws for that of another version. */
export function statusIn(answer: unknown, { from, hint }: typeof watchHere): StatusJson {
  const status = statusJsonSchema.safeParse(answer).data;
  if (status !== undefined) return status;
  throw new SluiceError(
    'WATCH_NOT_REACHABLE',
    `${from} returned no status: the response is not a status that this version of sluice understands`,
    { hint },
  );
}

/** The watch that answers over the socket of a stack. */
export const watchHere = { from: 'the watch of this stack', hint: 'use the same version of sluice as the watch' };
