import { bringBack } from '../agents/agents.ts';
import { showEndpoint } from '../agents/served-endpoints.ts';
import type { Behaviour } from '../world.ts';

/** An endpoint is only ever derived from what serves it. A TCP endpoint may be at an address that is reserved no longer. */
export const endpointBehaviour: Behaviour = {
  pass: bringBack,
  live: ({ own }) => own['proto'] === 'tcp',
  show: (read, _resource, world, origin) => showEndpoint(read, world, origin),
};
