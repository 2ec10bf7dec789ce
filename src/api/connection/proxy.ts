import { SluiceError } from '../../diagnostics/errors.ts';

/** A text and the setting, flag or variable that gives it. */
export interface GivenText {
  readonly text: string;
  /** Such as `api.proxy` or `HTTPS_PROXY`. */
  readonly from: string;
}

/** An HTTP proxy. */
export interface Proxy {
  /** Host and port, without credentials: safe for messages. */
  readonly name: string;
  /** The setting, flag or variable that names it. */
  readonly from: string;
  readonly protocol: 'http:' | 'https:';
  /** An IPv6 address in brackets. */
  readonly hostname: string;
  readonly port: string;
  /** The header Proxy-Authorization. */
  readonly authorization?: string;
}

/** Reads the URL of a proxy; a text without a scheme is plain HTTP, as curl has it. No message repeats the text. */
export function parseProxy({ text, from }: GivenText): Proxy {
  const written = text.trim();
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  const { protocol } = url ?? {};
  if (url === undefined || (protocol !== 'http:' && protocol !== 'https:'))
    throw badProxy(from, `${from} is not the URL of an HTTP proxy`);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw badProxy(from, `${from} has a path after the host and port of the proxy`);
  const port = url.port === '' ? (protocol === 'https:' ? '443' : '80') : url.port;
  const authorization = authorizationOf(url, from);
  return {
    name: `${url.hostname}:${port}`,
    from,
    protocol,
    hostname: url.hostname,
    port,
    ...(authorization === undefined ? {} : { authorization }),
  };
}

/** The error of a setting that names no usable proxy. */
export function badProxy(from: string, message: string): SluiceError {
  return new SluiceError('INVALID_PROXY', message, {
    hint: `set ${from} to http://host:port or https://host:port; SOCKS proxies and PAC files are not supported`,
  });
}

function authorizationOf({ username, password }: URL, from: string): string | undefined {
  if (username === '' && password === '') return undefined;
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(credentials).toString('base64')}`;
  } catch {
    throw badProxy(
      from,
      `${from} contains a user name or password with a "%" that is not followed by two hexadecimal digits`,
    );
  }
}
