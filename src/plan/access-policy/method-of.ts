import type { Method } from '../exposure/access.ts';
import type { HttpRequest } from './http-request.ts';

/** The methods that access control distinguishes: OPTIONS, and any other. */
export function methodOf({ method }: Pick<HttpRequest, 'method'>): Method {
  return method === 'OPTIONS' ? 'OPTIONS' : 'any';
}
