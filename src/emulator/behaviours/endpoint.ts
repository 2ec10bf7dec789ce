import { showEndpoint } from '../agents/served-endpoints.ts';
import type { Behaviour } from '../world.ts';

/** An endpoint is only ever derived from what serves it. */
export const endpointBehaviour: Behaviour = {
  show: (read, _resource, world, origin) => showEndpoint(read, world, origin),
};
