import { bringBack, restartAgent, stopAgent, updateAgent } from '../agents/agents.ts';
import type { Behaviour } from '../world.ts';

/** Sessions are agents that are online; they obey commands. */
export const tunnelSessionBehaviour: Behaviour = {
  pass: bringBack,
  act: (action, session, world) => {
    if (action === 'restart') restartAgent(session, world);
    else if (action === 'update') updateAgent(session, world);
    else stopAgent(session, world);
  },
};
