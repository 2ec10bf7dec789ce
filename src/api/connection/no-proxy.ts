import { BlockList, isIP } from 'node:net';

/**
 * Whether NO_PROXY lists a URL's host. Entries are separated by commas or spaces: `*`, a domain (which includes its
 * subdomains, with or without a leading `.` or `*.`), an IP address or a CIDR block, each with an optional port.
 */
export function isInNoProxy({ hostname, port, protocol }: URL, list: string): boolean {
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
