import { DecoratorHandler, type Dispatcher } from 'undici';
import { LockHeld, Refused, SluiceError } from '../diagnostics/errors.ts';

/** The right to write, as a lock gives it. */
export interface WritePermit {
  /** Whether the lock is still this run's. */
  readonly isMine: () => boolean;
  /** While the lock is this run's: whether a write may start at this moment. */
  readonly mayWrite: () => boolean;
  /** Resolves once a write may start; rejects where none may any more. */
  readonly untilMayWrite: (signal?: AbortSignal) => Promise<void>;
}

/** The permit of a client that no lock holds back. */
export const alwaysPermitted: WritePermit = {
  isMine: () => true,
  mayWrite: () => true,
  untilMayWrite: () => Promise.resolve(),
};

/** The write was not sent, because it was not permitted at that moment; it may be sent later, when it is. */
export class WriteHeldBack extends SluiceError {}

/**
 * Asks before each request that could change anything whether it may still go out, also when it is a repeated one: when
 * it is handed over, and again when it is written to the connection, which may be much later.
 */
export function whileAllowed(permit: WritePermit): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    if (options.method === 'GET') return dispatch(options, handler);
    const refusal = refusalOf(permit, options);
    if (refusal !== undefined) throw refusal;
    const asking: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
    const start = asking.onRequestStart?.bind(asking);
    asking.onRequestStart = (controller, context) => {
      start?.(controller, context);
      const late = refusalOf(permit, options);
      // Nothing of the request has been written yet.
      if (late !== undefined) controller.abort(late);
    };
    return dispatch(options, asking);
  };
}

/** A client that refuses every request but GET, for plans (law 2). */
export const readOnly: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  if (options.method === 'GET') return dispatch(options, handler);
  throw new Refused('READ_ONLY_COMMAND', `${options.method} ${options.path} was not sent: this command is read-only`);
};

function refusalOf(
  { isMine, mayWrite }: WritePermit,
  { method, path }: Pick<Dispatcher.DispatchOptions, 'method' | 'path'>,
): SluiceError | undefined {
  const notSent = `${method} ${path} was not sent`;
  if (!isMine())
    return new LockHeld('LOCK_LOST', `${notSent}: another run has taken over the lock of this stack`, {
      hint: 'wait for the other run to finish, then apply again',
      hintInWatch: '',
    });
  if (!mayWrite())
    return new WriteHeldBack(
      'WRITE_HELD_BACK',
      `${notSent}: sluice cannot confirm that it still holds the lock of the state`,
    );
  return undefined;
}
