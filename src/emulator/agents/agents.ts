import * as z from 'zod';
import { isSpecObject, type SpecObject, type SpecValue, textOf } from '../../kinds/value.ts';
import { Refusal } from '../answer.ts';
import { serveEndpoints } from './served-endpoints.ts';
import { listOf } from '../forms/plain.ts';
import { base62 } from '../ids.ts';
import type { Stored } from '../family.ts';
import { timeOf, type EmulatorWorld } from '../world.ts';

const text = z.string().exactOptional();
const flag = z.boolean().exactOptional();

const tunnelSetup = z.strictObject({
  proto: z.enum(['http', 'https', 'tcp', 'tls']),
  hostport: z.string(),
  /** The id of the reserved domain it is at. */
  domain: z.string().min(1).exactOptional(),
});

/** The form of an agent that is set up. */
export const agentSetup = z
  .strictObject({
    version: text,
    /** The version an update would bring; absent: none. */
    available: text,
    /** Whether its configuration checks for updates. */
    updates: flag,
    os: text,
    region: text,
    ip: text,
    metadata: text,
    credential: text,
    transport: text,
    /** What it serves without an edge. */
    tunnels: z.array(tunnelSetup).readonly().exactOptional(),
    /** False: a restart is the last that is heard of it. */
    returns: flag,
  })
  .readonly();

/** An agent as a test or a person sets it up; everything has a sensible default. */
export type AgentSetup = z.infer<typeof agentSetup>;

const kind = 'TunnelSession';
const returning = 'agents returning';
/** A restart takes a moment; an update takes ten seconds (Limits). */
const restartTakes = 2000;
const updateTakes = 10_000;

/** Brings an agent online; answers the id of its session. */
export function addAgent(setup: AgentSetup, world: EmulatorWorld): string {
  const n = world.account.created + 1;
  const { tunnels = [], updates = true, returns = true, version = '3.4.0', metadata = '' } = setup;
  return goOnline(
    {
      agent_version: version,
      credential: setup.credential ?? 'cr_emulated',
      ip: setup.ip ?? `192.0.2.${n % 254 || 1}`,
      metadata,
      os: setup.os ?? 'linux',
      region: setup.region ?? 'us',
      transport: setup.transport ?? `${world.settings.vendor}/2`,
      ...(setup.available === undefined ? {} : { available: setup.available }),
      updates,
      returns,
      tunnels: tunnels.map((tunnel) => ({ ...tunnel })),
    },
    world.settings.clock(),
    world,
  );
}

/** The sessions of the agents that are online. */
export function agentsOnline(world: EmulatorWorld): readonly Stored[] {
  bringBack(world);
  return world.account.all(kind);
}

/** Takes an agent away for good; false when no session has the id. */
export function removeAgent(id: string, world: EmulatorWorld): boolean {
  bringBack(world);
  const session = world.account.get(kind, id);
  if (session !== undefined) stopAgent(session, world);
  return session !== undefined;
}

/** Ends the session, and what it served. */
export function stopAgent(session: Stored, world: EmulatorWorld): void {
  world.account.remove(session);
  serveEndpoints(session.id, [], world);
}

/** Ends the session; the agent is back under a new one after a moment, updated if its update had the time it needs. */
export function restartAgent(session: Stored, world: EmulatorWorld): void {
  if (/windows/i.test(textOf(session.own['os'])))
    throw new Refusal(400, 'RESTART_NOT_SUPPORTED', 'Agents on Windows cannot be restarted.');
  stopAgent(session, world);
  const { updating_since, started_at: _, available, ...own } = session.own;
  const now = world.settings.clock().getTime();
  const updated = typeof updating_since === 'number' && now - updating_since >= updateTakes && available !== undefined;
  const next: SpecObject = updated
    ? { ...own, agent_version: available }
    : { ...own, ...(available === undefined ? {} : { available }) };
  if (own['returns'] !== false) keep([...waiting(world), { at: now + restartTakes, own: next }], world);
}

/** Begins an update, never to a new major version. */
export function updateAgent(session: Stored, world: EmulatorWorld): void {
  const { updates, updating_since, available, agent_version } = session.own;
  const now = world.settings.clock().getTime();
  if (updates === false)
    throw new Refusal(400, 'UPDATE_DISABLED', 'Update checks are disabled in the configuration of the agent.');
  if (typeof updating_since === 'number')
    throw now - updating_since < updateTakes
      ? new Refusal(400, 'UPDATE_IN_PROGRESS', 'The agent is already updating.')
      : new Refusal(400, 'UPDATE_NEEDS_RESTART', 'The agent has updated and must be restarted first.');
  if (typeof available !== 'string' || available === agent_version || major(available) !== major(agent_version))
    throw new Refusal(400, 'UPDATE_NOT_AVAILABLE', 'No update is available for the agent.');
  world.account.put({ ...session, own: { ...session.own, updating_since: now } });
}

/** Brings agents back whose restart is over. */
export function bringBack(world: EmulatorWorld): void {
  const all = waiting(world);
  if (all.length === 0) return;
  const now = world.settings.clock().getTime();
  for (const { at, own } of all) if (at <= now) goOnline(own, new Date(at), world);
  keep(
    all.filter(({ at }) => at > now),
    world,
  );
}

interface Returning {
  readonly at: number;
  readonly own: SpecObject;
}

function waiting({ account }: EmulatorWorld): readonly Returning[] {
  return JSON.parse(account.notes.get(returning) ?? '[]') as readonly Returning[];
}

function keep(agents: readonly Returning[], { account }: EmulatorWorld): void {
  if (agents.length === 0) account.notes.delete(returning);
  else account.notes.set(returning, JSON.stringify(agents));
}

function goOnline(own: SpecObject, at: Date, world: EmulatorWorld): string {
  const { account, chance } = world;
  const id = chance.id('ts');
  const time = timeOf(at);
  account.put({ kind, id, seq: account.created++, created_at: time, spec: {}, own: { ...own, started_at: time } });
  serveEndpoints(
    id,
    listOf(own['tunnels'])
      .filter(isSpecObject)
      .map((tunnel, index) => servedBy(tunnel, own, `tn_${base62(chance.bytes('tunnel', id, String(index)))}`)),
    world,
  );
  return id;
}

function servedBy({ proto, hostport, domain }: SpecObject, own: SpecObject, tunnel: string): SpecObject {
  const place = textOf(hostport);
  return {
    type: 'ephemeral',
    proto: proto ?? 'https',
    region: own['region'] ?? 'us',
    hostport: place,
    public_url: `${textOf(proto)}://${place}`,
    metadata: textOf(own['metadata']),
    ...(domain === undefined ? {} : { domain }),
    tunnel,
  };
}

function major(version: SpecValue | undefined): string {
  return textOf(version).split('.', 1)[0] ?? '';
}
