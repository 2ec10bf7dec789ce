import { groupBy } from '../../../model/group-by.ts';
import type { Session } from './session.ts';

/**
 * Which restarted agents have reconnected, by their old session id. The service does not report this: an agent is
 * recognized by its credential, address, operating system and metadata. Agents that are equal in all four are counted:
 * there must be as many equal new sessions as agents were restarted, in addition to new sessions of equal agents that
 * reconnected by themselves. Which of the equal agents has which new session is unknown and makes no difference.
 */
export function returned(
  restarted: readonly Session[],
  before: readonly Session[],
  now: readonly Session[],
): ReadonlyMap<string, Session> {
  const known = new Set(before.map(({ id }) => id));
  const online = new Set(now.map(({ id }) => id));
  const ours = new Set(restarted.map(({ id }) => id));
  const fresh = byIdentity(now.filter(({ id }) => !known.has(id)));
  const lost = byIdentity(before.filter(({ id }) => !ours.has(id) && !online.has(id)));
  const away = byIdentity(restarted.filter(({ id }) => !online.has(id)));
  return new Map(
    [...away].flatMap(([identity, agents]) => {
      const back = (fresh.get(identity) ?? []).slice(lost.get(identity)?.length ?? 0);
      return agents.slice(0, back.length).map((agent, index): [string, Session] => [agent.id, back[index] ?? agent]);
    }),
  );
}

/** The number of agents that cannot be distinguished from another one. */
export function ambiguousSessions(sessions: readonly Session[]): number {
  return [...byIdentity(sessions).values()].reduce((sum, alike) => sum + (alike.length > 1 ? alike.length : 0), 0);
}

function byIdentity(sessions: readonly Session[]): ReadonlyMap<string, readonly Session[]> {
  return groupBy(sessions, ({ credential, ip, os, metadata }) => JSON.stringify([credential, ip, os, metadata]));
}
