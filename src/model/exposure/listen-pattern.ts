/** How an address to serve at is spelled: host:port, an IPv6 address in brackets. */
export const listenPattern = /^(\[[0-9a-fA-F:]+\]|[^:\s]+):\d{1,5}$/;
