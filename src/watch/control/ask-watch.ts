import { request } from 'node:http';
import type { Backend } from '../../state/backend.ts';
import { readWatchState } from '../watch-state.ts';

/** How long to wait for an answer of a running watch. */
export interface AskOptions {
  readonly signal?: AbortSignal;
  /** Called once the watch has accepted a request that takes long. */
  readonly onAccepted?: () => void;
}

/** A process accepts connections at the socket, and answers nothing: it is stopped, or it hangs. */
export class WatchSilent extends Error {
  constructor(ms: number) {
    super(`a process accepts connections at the socket of the watch, but has not responded for ${String(ms / 1000)} s`);
  }
}

// While a watch reconciles, it reports every few seconds that it is running; computing the plan of a large stack may delay that.
const mostSilentMs = { first: 10_000, accepted: 60_000 };

/** What a running watch answered over its socket; undefined: no watch listens there. Throws if it is silent for too long. */
export async function askWatch(
  path: string,
  what: '/wake' | '/reconcile' | '/status',
  { signal, onAccepted }: AskOptions = {},
): Promise<string | undefined> {
  return new Promise((done, failed) => {
    const sent = request({ socketPath: path, path: what, method: 'POST', ...(signal === undefined ? {} : { signal }) });
    const silentFor = (ms: number): NodeJS.Timeout => setTimeout(() => sent.destroy(new WatchSilent(ms)), ms);
    let deadline = silentFor(mostSilentMs.first);
    let isAccepted = false;
    sent.on('close', () => clearTimeout(deadline));
    sent.on('information', () => {
      clearTimeout(deadline);
      deadline = silentFor(mostSilentMs.accepted);
      if (!isAccepted) onAccepted?.();
      isAccepted = true;
    });
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 202) done(text);
        else failed(new Error(text.trim()));
      });
      response.on('error', failed);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(error.code ?? '')) done(undefined);
      else failed(error);
    });
    sent.end();
  });
}

/** Has a running watch write its state again where that was deleted: without it, nobody can prove the end of a pause to it. */
export async function restoreWatchState({
  socketPath,
  document,
}: Pick<Backend, 'socketPath' | 'document'>): Promise<void> {
  if (socketPath === undefined || (await readWatchState(document('watch-state'))).stack !== undefined) return;
  await askWatch(socketPath, '/reconcile', { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
}

/** Has a running watch read its pauses and approvals now. Whether one does; if not, it reads them at its next poll. */
export async function wakeWatch({ socketPath }: Pick<Backend, 'socketPath'>): Promise<boolean> {
  if (socketPath === undefined) return false;
  return askWatch(socketPath, '/wake', { signal: AbortSignal.timeout(5_000) }).then(
    (answer) => answer !== undefined,
    () => false,
  );
}
