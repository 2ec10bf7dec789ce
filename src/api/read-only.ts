import type { Dispatcher } from 'undici';
import { Refused } from '../diagnostics/errors.ts';

/** A client that refuses every request but GET, for plans (law 2). */
export const readOnly: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  if (options.method === 'GET') return dispatch(options, handler);
  throw new Refused('READ_ONLY_COMMAND', `${options.method} ${options.path} was not sent: this command is read-only`);
};
