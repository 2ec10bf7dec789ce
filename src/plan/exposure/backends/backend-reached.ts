import { backendOf, type RouteBackend } from '../../routing/backend-of.ts';
import type { Access } from '../access.ts';

/** The backend that requests reach; undefined if they reach none. */
export function backendReached({ reach, route }: Access): RouteBackend | undefined {
  return reach === 'backend' && route !== undefined ? backendOf(route) : undefined;
}
