import { isLoopback } from '../../model/host-in-url.ts';
import { Refusal } from '../answer.ts';
import { headersIn, type EmulatorRequest } from '../http/exchange.ts';

/** The most that a body for a control endpoint may hold: a whole account. */
export const controlBodyLimit = 256 * 1_048_576;

/** What the paths of all control endpoints begin with; no path of the API does. */
export const controlPrefix = '/_emulator/';

/** Whether a path is one of the emulator's own, outside the API. */
export function isControl(path: string): boolean {
  return path.startsWith(controlPrefix);
}

/*
 * Whoever reaches the control endpoints can read the whole account. So they are for this machine alone, and not for a
 * page in a browser on it: browsers name the page's origin, and send JSON nowhere without asking first.
 */
/** Refuses a control request that is not allowed. */
export function admitToControl(request: EmulatorRequest, apiKey: string | undefined): void {
  const { from, method, body = '' } = request;
  const { host, origin, authorization, 'content-type': type = '' } = headersIn(request);
  if ([from, host?.replace(/:\d+$/, '')].some((one) => one !== undefined && !isLoopback(one)))
    throw new Refusal(403, 'LOOPBACK_ONLY', 'The control endpoints accept requests from this machine only.');
  if (origin !== undefined)
    throw new Refusal(403, 'BROWSER_NOT_ALLOWED', 'The control endpoints do not accept requests from browser pages.');
  if (apiKey !== undefined && authorization !== `Bearer ${apiKey}`)
    throw new Refusal(
      401,
      'UNAUTHENTICATED',
      'The control endpoints require the API key that the emulator was started with.',
    );
  if (body.length > controlBodyLimit) throw new Refusal(413, 'BODY_TOO_LARGE', 'The body is too large.');
  const isJson = /^application\/json\s*(;|$)/i.test(type);
  if (method !== 'GET' && method !== 'DELETE' && !isJson)
    throw new Refusal(415, 'INVALID_CONTENT_TYPE', 'The body must be application/json.');
}
