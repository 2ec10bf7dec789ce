import type { Requirement } from '../../model/exposure/access-rules.ts';
import { isReachable, type Access } from '../exposure/access.ts';
import { type RoutingIndex, type HttpRequest, methodOf } from './routing-index.ts';
import { requirementsMet } from './satisfies.ts';

/** What a plan changes for one request. */
export type RequestChange =
  | { readonly type: 'reachable' | 'unreachable' }
  | { readonly type: 'requires' | 'requires-no-longer'; readonly controls: readonly Requirement[] };

/** What differs between two front doors for one request; what it must satisfy from now on comes before what it need not. */
export function requestChange(
  request: HttpRequest,
  now: RoutingIndex,
  planned: RoutingIndex,
): RequestChange | undefined {
  const [before, after] = [now.accessFor(request), planned.accessFor(request)];
  const [was, is] = [isReachable(before), isReachable(after)];
  if (was !== is) return { type: is ? 'reachable' : 'unreachable' };
  if (!is) return undefined;
  const [old, young] = [required(before, request), required(after, request)];
  const more = young.filter((one) => !old.includes(one));
  if (more.length > 0) return { type: 'requires', controls: more };
  const less = old.filter((one) => !young.includes(one));
  return less.length > 0 ? { type: 'requires-no-longer', controls: less } : undefined;
}

function required(access: Access, request: HttpRequest): Requirement[] {
  return requirementsMet(access, methodOf(request));
}
