import type { Session } from './session.ts';

/**
 * Which agents are back, by the session they were restarted in. The service does not say so: an agent is known again by
 * its credential, address, system and metadata. Agents that are the same in all four are twins, and are counted: there
 * must be as many new sessions of their kind as were restarted, beyond those that other twins came back with by
 * themselves. Which twin a new session belongs to cannot be known, and makes no difference.
 */
export function returned(
  restarted: readonly Session[],
  before: readonly Session[],
  now: readonly Session[],
): ReadonlyMap<string, Session> {
  const known = new Set(before.map(({ id }) => id));
  const online = new Set(now.map(({ id }) => id));
  const ours = new Set(restarted.map(({ id }) => id));
  const fresh = byLikeness(now.filter(({ id }) => !known.has(id)));
  const lost = byLikeness(before.filter(({ id }) => !ours.has(id) && !online.has(id)));
  const gone = byLikeness(restarted.filter(({ id }) => !online.has(id)));
  return new Map(
    [...gone].flatMap(([likeness, agents]) => {
      const back = (fresh.get(likeness) ?? []).slice(lost.get(likeness)?.length ?? 0);
      return agents.slice(0, back.length).map((agent, index): [string, Session] => [agent.id, back[index] ?? agent]);
    }),
  );
}

/** How many agents cannot be told apart from another one. */
export function ambiguousSessions(sessions: readonly Session[]): number {
  return [...byLikeness(sessions).values()].reduce((sum, alike) => sum + (alike.length > 1 ? alike.length : 0), 0);
}

function byLikeness(sessions: readonly Session[]): ReadonlyMap<string, readonly Session[]> {
  const groups = new Map<string, Session[]>();
  for (const session of sessions) {
    const { credential, ip, os, metadata } = session;
    const likeness = JSON.stringify([credential, ip, os, metadata]);
    groups.set(likeness, [...(groups.get(likeness) ?? []), session]);
  }
  return groups;
}
