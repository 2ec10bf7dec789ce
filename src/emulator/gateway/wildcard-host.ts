import type { GatewayReading } from './gateway-options.ts';

/** Whether a host is one that a name beginning with `*.` stands for. */
export function isCovered(
  wildcard: string,
  host: string,
  { wildcard: labels }: Pick<GatewayReading, 'wildcard'>,
): boolean {
  if (!wildcard.startsWith('*.')) return false;
  const rest = wildcard.slice(1);
  if (!host.endsWith(rest) || host.length === rest.length) return false;
  return labels === 'many' || !host.slice(0, -rest.length).includes('.');
}
