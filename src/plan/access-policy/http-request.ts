import type { Method } from '../exposure/access.ts';

/** One request to a front door: where it arrives, and what it asks for. */
export interface HttpRequest {
  readonly method: string;
  /** In lower case, with its port. */
  readonly hostport: string;
  /** By its Host header, in lower case. */
  readonly host: string;
  /** As sent, without its query. */
  readonly path: string;
}

const urlForm = /^https:\/\/([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)(?::([0-9]{1,5}))?(\/[^?#\s]*)?(?:[?#]\S*)?$/;
const methodForm = /^[A-Z][A-Z-]*$/;

/** Reads a method and a URL. The path stays as written, because routes compare it byte by byte. */
export function httpRequest(method: string, url: string): HttpRequest | undefined {
  const [whole, host = '', port = '443', path = '/'] = urlForm.exec(url) ?? [];
  if (whole === undefined || !methodForm.test(method) || Number(port) > 65_535) return undefined;
  const name = host.toLowerCase();
  return { method, hostport: `${name}:${port}`, host: name, path };
}

/** A request in words: `GET https://shop.example.com/admin`, with the hostport where it arrives if that is another. */
export function requestText({ method, hostport, host, path }: HttpRequest): string {
  const port = hostport.slice(hostport.lastIndexOf(':') + 1);
  const at = port === '443' ? '' : `:${port}`;
  return hostport === `${host}:${port}`
    ? `${method} https://${host}${at}${path}`
    : `${method} https://${host}${path} at ${hostport}`;
}

/** The methods that access control distinguishes: OPTIONS, and any other. */
export function methodOf({ method }: Pick<HttpRequest, 'method'>): Method {
  return method === 'OPTIONS' ? 'OPTIONS' : 'any';
}
