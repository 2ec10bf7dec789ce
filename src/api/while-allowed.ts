import type { Dispatcher } from 'undici';
import { Refused } from '../diagnostics/errors.ts';

/** Asks before each request that could change anything whether it may still go out, also when it is a repeated one. */
export function whileAllowed(mayWrite: () => boolean): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    if (options.method === 'GET' || mayWrite()) return dispatch(options, handler);
    throw new Refused(
      'LOCK_LOST',
      `${options.method} ${options.path} was not sent: another run has taken over the lock of this stack`,
      { hint: 'wait for the other run to finish, then apply again' },
    );
  };
}
