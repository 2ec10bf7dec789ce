import { httpRequest, type HttpRequest } from '../../../plan/access-policy/routing-index.ts';

// The combined format, with or without `host:port` before it: ... "GET /path HTTP/1.1" 200 ...
const combined = /^(?:([A-Za-z0-9.-]+)(?::(\d{1,5}))? )?[^"]*?"([A-Z]+) (\S+)(?: HTTP\/[0-9.]+)?"/;
const isAddress = /^\d+(\.\d+){3}$/;

/** The request of one line of an access log: in the combined format, or a JSON object. `host` is used where the line has none. */
export function logRequest(line: string, host: string | undefined): HttpRequest | undefined {
  return line.startsWith('{') ? ofJson(line, host) : ofCombined(line, host);
}

function ofCombined(line: string, host: string | undefined): HttpRequest | undefined {
  const [, first = '', port, method = '', target = ''] = combined.exec(line) ?? [];
  const isVirtualHost = port !== undefined && !isAddress.test(first);
  return requestTo(method, isVirtualHost ? `${first}:${port}` : host, target);
}

function ofJson(line: string, host: string | undefined): HttpRequest | undefined {
  try {
    const read = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const text = (...names: readonly string[]): string | undefined =>
      names.map((name) => read[name]).find((value) => typeof value === 'string');
    const method = text('method', 'request_method', 'http_method') ?? 'GET';
    return requestTo(
      method,
      text('host', 'http_host', 'hostname') ?? host,
      text('url', 'request_uri', 'uri', 'path') ?? '',
    );
  } catch {
    return undefined;
  }
}

function requestTo(method: string, host: string | undefined, target: string): HttpRequest | undefined {
  if (target.startsWith('https://')) return httpRequest(method, target);
  return host === undefined || !target.startsWith('/') ? undefined : httpRequest(method, `https://${host}${target}`);
}
