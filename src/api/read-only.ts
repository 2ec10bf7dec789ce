import type { Dispatcher } from 'undici';
import { Refused } from '../diagnostics/errors.ts';

/** Lets nothing through that could change anything: what a plan speaks to the service with (law 2). */
export const readOnly: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  if (options.method === 'GET') return dispatch(options, handler);
  throw new Refused('READ_ONLY_FIELD', `${options.method} ${options.path} is refused: this command only reads`);
};
