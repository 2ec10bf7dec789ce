/** A host as it stands in a URL: an IPv6 address is in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
