import type { Selector } from '../../kinds/kind.ts';
import { meansHost } from '../../model/wildcards.ts';
import type { RequestClass } from './routing-model.ts';

/**
 * Whether the host of a match covers a request class. Where the API does not describe what the host means, there are two
 * readings: it covers what it seems to mean, or nothing. Each class is evaluated with both (decisions/0045).
 */
export function takesHost(
  { host, isHostUnclear }: Selector,
  requestClass: Pick<RequestClass, 'place' | 'host' | 'unclearHosts'>,
): boolean {
  if (host === undefined) return true;
  if (isHostUnclear !== true) return meansHost(host, requestClass.host);
  return requestClass.unclearHosts !== 'ignored' && seemsToMean(host, requestClass);
}

/** The host of a match without its port. */
export function hostWithoutPort(host: string): string {
  return host.replace(/:\d+$/, '');
}

function seemsToMean(host: string, { host: asked, place }: Pick<RequestClass, 'place' | 'host'>): boolean {
  const name = hostWithoutPort(host);
  if (name !== host && !place.endsWith(host.slice(name.length))) return false;
  const parts = name.split('*');
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return asked === name;
  if (asked.length < first.length + last.length || !asked.startsWith(first) || !asked.endsWith(last)) return false;
  let rest = asked.slice(first.length, asked.length - last.length);
  for (const part of parts.slice(1, -1)) {
    const at = rest.indexOf(part);
    if (at === -1) return false;
    rest = rest.slice(at + part.length);
  }
  return true;
}
