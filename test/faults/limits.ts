import type { Case } from './cases.ts';
import type { Violation } from './oracles.ts';
import type { Evidence } from './trial.ts';

/** Known limits, by name: such cases are counted, and docs/faults.md explains them. */
export type Limit =
  | 'made twice, listed nowhere'
  | 'denied, and shown nowhere'
  | 'made anew by others, shown nowhere'
  | 'the id of another resource'
  | 'carried out long after'
  | 'deleted by others';

/** Which limit a case with violations ran into; undefined where it ran into none, so that it is a bug. */
export function limitOf(
  violations: readonly Violation[],
  { server, faults }: Case,
  { hit }: Evidence,
): Limit | undefined {
  const isFault = (mode: RegExp): boolean => faults.some((fault) => mode.test(fault));
  const isEdge = (method: string): boolean =>
    hit.some((one) => one.method === method && /^\/edges\/https(\/[^/]+)?$/.test(one.path));
  // Under `documented` an edge is shown by its id alone, unless endpoints are shown and it has a hostport.
  const isHidden =
    server.profile === 'documented' &&
    (server.edgeEndpoints === 'hidden' || hit.some(({ body }) => !body.includes('"hostports"')));
  if (server.profile === 'documented' && isFault(/^(executed-twice|late-commit)/) && isEdge('POST'))
    return 'made twice, listed nowhere';
  if (server.profile === 'documented' && isFault(/^status-before=404/) && (isEdge('GET') || isEdge('DELETE')))
    return 'denied, and shown nowhere';
  if (isHidden && isFault(/^other-recreates/)) return 'made anew by others, shown nowhere';
  if (server.profile === 'documented' && isFault(/^other-(id|answer)/) && isEdge('POST'))
    return 'the id of another resource';
  if (isFault(/^late-commit=(5000|list\+2)/) && violations.every(isAboutAccess)) return 'carried out long after';
  if (isFault(/^other-deletes/) && violations.every(isAboutAccess)) return 'deleted by others';
  return undefined;
}

/** A door that was open for a while, or a rule that was broken. */
function isAboutAccess({ oracle }: Violation): boolean {
  return oracle === 9 || oracle === 10;
}
