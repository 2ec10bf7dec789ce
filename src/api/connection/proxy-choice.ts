import { BlockList, isIP } from 'node:net';
import { isPlainAllowed } from '../base-url.ts';
import { isLoopback } from '../../model/host-in-url.ts';
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

/**
 * Whether NO_PROXY lists a URL's host. Entries are separated by commas or spaces: `*`, a domain (which includes its
 * subdomains, with or without a leading `.` or `*.`), an IP address or a CIDR block, each with an optional port.
 */
function isInNoProxy({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$|\.$/, '$1').toLowerCase();
  const ownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      // An IPv6 address without brackets has no port.
      const [, listed = '', onlyPort = ownPort] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(entry) ?? ['', entry];
      return onlyPort === ownPort && covers(listed.replace(/^\[(.*)\]$/, '$1'), host);
    });
}

function covers(listed: string, host: string): boolean {
  const version = isIP(host);
  if (version !== 0) return addresses(listed)?.check(host, version === 6 ? 'ipv6' : 'ipv4') ?? false;
  const domain = listed.replace(/^\*?\./, '').replace(/\.$/, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

/** The addresses of an entry; undefined for a name. */
function addresses(listed: string): BlockList | undefined {
  const [address = '', bits] = listed.split('/');
  const version = isIP(address);
  const most = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? most : Number(bits);
  if (version === 0 || bits === '' || !Number.isInteger(prefix) || prefix < 0 || prefix > most) return undefined;
  const block = new BlockList();
  block.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  return block;
}
