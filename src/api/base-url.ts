import { SluiceError } from '../diagnostics/errors.ts';
import { isLoopback } from '../model/host-in-url.ts';

/** Where the service is, taken apart once. */
export interface BaseUrl {
  readonly origin: string;
  /** What every path begins with, `''` or `/v1`, without a slash at its end. */
  readonly prefix: string;
}

/** Reads the base URL: https, or plain http to this machine alone, for the key travels with every request. */
export function baseUrl(text: string): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw bad('the base URL is not an http or https URL');
  if (url.username !== '' || url.password !== '') throw bad('the base URL contains a user name or password');
  if (url.search !== '' || url.hash !== '') throw bad('the base URL contains a query or fragment');
  if (url.protocol === 'http:' && !isPlainAllowed(url.hostname))
    throw bad('the base URL uses plain http to another machine, which exposes the API key to the network');
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

/** Whether the API key may go to a host by plain http. Names below .invalid and .localhost never lead to another machine: an emulator in this process has one. */
export function isPlainAllowed(hostname: string): boolean {
  return isLoopback(hostname) || /\.(invalid|localhost)$/.test(hostname);
}

function bad(message: string): SluiceError {
  return new SluiceError('INVALID_BASE_URL', message, {
    hint: 'set api.base_url or SLUICE_BASE_URL to a URL such as https://api.example.com',
  });
}
