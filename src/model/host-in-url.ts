/** A host as it stands in a URL: an IPv6 address is in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Whether a host of a URL, or the address of a client, is this machine, whatever answers when names are looked up. */
export function isLoopback(host: string): boolean {
  return /^(localhost|::1|\[::1\]|(::ffff:)?127(\.\d{1,3}){3})$/i.test(host);
}
