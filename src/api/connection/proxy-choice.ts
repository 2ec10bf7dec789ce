import { isLoopback, isPlainAllowed } from '../base-url.ts';
import { isInNoProxy } from './no-proxy.ts';
import { parseProxy, type GivenText, type Proxy } from './proxy.ts';

/** The settings that select the proxy. */
export interface ProxySettings {
  /** The proxy given for sluice alone, by flag, variable or `sluice.yaml`; before the standard variables. */
  readonly given?: GivenText;
  /** For HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in lower or upper case. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The proxy for a URL; undefined: connect directly. This machine is reached through a proxy only by https, and only where the proxy is given for sluice. */
export function proxyFor(url: URL, { given, env }: ProxySettings): Proxy | undefined {
  // By plain http a proxy could read the API key.
  if (url.protocol === 'http:' && isPlainAllowed(url.hostname)) return undefined;
  const standard = isLoopback(url.hostname)
    ? undefined
    : variable(env, url.protocol === 'https:' ? 'https_proxy' : 'http_proxy');
  const chosen = given ?? standard;
  if (chosen === undefined || isInNoProxy(url, variable(env, 'no_proxy')?.text ?? '')) return undefined;
  return parseProxy(chosen);
}

/** A standard variable: in lower case, else in upper case. An empty one is not set. */
function variable(env: ProxySettings['env'], lower: string): GivenText | undefined {
  for (const from of [lower, lower.toUpperCase()]) {
    const text = env[from]?.trim() ?? '';
    if (text !== '') return { text, from };
  }
  return undefined;
}
