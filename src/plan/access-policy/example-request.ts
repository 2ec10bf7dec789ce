/*
 * A request of a class that a reader can send: a class may stand for every host that a wildcard takes, and for every path
 * that begins somehow. A candidate counts only if the front door, asked for this one request, treats it like its class.
 */
import { answeringFor, meansHost } from '../../model/wildcards.ts';
import { anyOtherHost, type RequestClass } from '../routing/routing-model.ts';
import type { HttpRequest } from './routing-index.ts';

const labels = ['any', 'other', 'some-host', 'sluice-example'];
const endings = ['/x', 'x', '/any-path', '-any-path', '0', '_', '~sluice'];

/** Requests that may be of a class, the plainest first. */
export function* exampleRequests({ place, host, path }: RequestClass, method: string): Generator<HttpRequest> {
  const colon = place.lastIndexOf(':');
  const [own, port] = [place.slice(0, colon), place.slice(colon)];
  for (const asked of concrete(host))
    for (const served of servedNames(own, asked, port, place))
      for (const sent of paths(path)) yield { method, hostport: `${served}${port}`, host: asked, path: sent };
}

/** The name in the TLS handshake: the host that is asked for, where the place takes it. */
function servedNames(own: string, asked: string, port: string, place: string): readonly string[] {
  const names = concrete(own);
  return meansHost(own, asked) && answeringFor(`${asked}${port}`).includes(place) ? [asked, ...names] : names;
}

function concrete(host: string): readonly string[] {
  if (host === anyOtherHost) return concrete('*.example');
  return host.startsWith('*.') ? labels.map((label) => `${label}${host.slice(1)}`) : [host];
}

function paths(path: string): readonly string[] {
  if (!path.endsWith('\0')) return [path];
  const start = path.slice(0, -1);
  return endings.map((ending) => (start.endsWith('/') ? `${start}${ending.replace(/^\//, '')}` : `${start}${ending}`));
}
