import * as z from 'zod';
import type { AgentSetup } from './agents.ts';

/** An agent as it is set up from outside the process, checked. */
export const agentSetup: z.ZodType<AgentSetup> = z.strictObject({
  version: z.string().exactOptional(),
  available: z.string().exactOptional(),
  updates: z.boolean().exactOptional(),
  os: z.string().exactOptional(),
  region: z.string().exactOptional(),
  ip: z.string().exactOptional(),
  metadata: z.string().exactOptional(),
  credential: z.string().exactOptional(),
  transport: z.string().exactOptional(),
  tunnels: z
    .array(z.strictObject({ proto: z.enum(['http', 'https', 'tcp', 'tls']), hostport: z.string() }))
    .exactOptional(),
  returns: z.boolean().exactOptional(),
});
