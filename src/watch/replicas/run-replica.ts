/*
 * Runs a replica: it begins a session, and once a heartbeat it reads what the others do, decides what it takes and
 * gives back, and writes what it does now. If another replica has ended its session, it was silent for so long that its
 * stacks are taken over: it lets go of all of them and begins a new session. While the store of the sessions is
 * unavailable it keeps the stacks that it has, and takes no others: the lock of each stack remains in force. A replica that
 * has not joined yet waits for a store that is unavailable, and ends with the error of one that refuses.
 */
import type { AvoidReason, StackElsewhere } from '../../model/status/fleet-status.ts';
import { shortestSince } from '../../state/lease/lease-time.ts';
import { isUnavailable } from '../../state/remote/settled-swap.ts';
import { failureDetails } from '../failures.ts';
import type { Ports } from '../ports.ts';
import { createAvoidedStacks, intervalsToPlan, createFreeStacks } from './own-time.ts';
import { divideStacks, type ReplicaClaims } from './divide-stacks.ts';
import type { DividedStack } from './divided-stack.ts';
import { otherSessions } from './other-sessions.ts';
import {
  ownSession,
  type AboutReplica,
  type OwnSession,
  type SessionRecord,
  type SessionStore,
} from './own-session.ts';
import { present } from '../../model/present.ts';

/** What a replica needs. */
export interface ReplicaOptions extends SessionStore {
  /** Draws the id of a session. */
  readonly newId: () => string;
  readonly about: () => AboutReplica;
  /** Called once, after the first heartbeat. */
  readonly onJoined: () => void;
  /** The stacks of now, by path, in the same order for all replicas. */
  readonly stacks: () => ReadonlyMap<string, DividedStack>;
  readonly log: Ports['log'];
}

/** Takes part in a fleet until the signal aborts; call the result once every stack has been given back. Rejects where the store refuses before it has joined. */
export async function runReplica(options: ReplicaOptions, signal: AbortSignal): Promise<() => Promise<void>> {
  const { store, time, timing, stacks, log } = options;
  const readOthers = otherSessions(options);
  const avoided = createAvoidedStacks(() => time.now(), timing.durationMs);
  const free = createFreeStacks(() => time.now());
  let session: OwnSession | undefined;
  let [hasJoined, isInOutage] = [false, false];

  async function round(): Promise<void> {
    if (session === undefined) {
      await store.prepare();
      session = ownSession(options.newId(), options.about(), options);
      log('info', 'replica', `joining the fleet as replica ${session.id}`, { replica: session.id });
    } else await divide(session.id);
    if (await session.heartbeat(ownClaims())) return;
    const ended = `another replica ended the session of this replica, ${session.id}, because it sent no heartbeat for too long`;
    log('warn', 'replica', `${ended}; this replica releases all stacks`);
    session = undefined;
    for (const stack of stacks().values()) stack.release('now');
  }

  async function divide(self: string): Promise<void> {
    const others = await readOthers(self);
    const all = stacks();
    const silent = new Set([...others].flatMap(([id, { isSilent }]) => (isSilent ? [id] : [])));
    const speaking = [...others].flatMap(([id, record]) => (silent.has(id) ? [] : [record]));
    giveUpTroubled(all, speaking);
    free.note([...all.keys()], [ownClaims(), ...speaking]);
    const { attempt, release } = divideStacks({
      self,
      live: new Map<string, ReplicaClaims>([[self, ownClaims()], ...others]),
      silent,
      stacks: [...all.keys()],
      leaving: new Set([...all].flatMap(([path, stack]) => (stack.isLeaving() ? [path] : []))),
      freeMs: free.ms,
      patienceMs: timing.durationMs,
    });
    for (const path of attempt) all.get(path)?.attempt();
    for (const path of release) {
      const stack = all.get(path);
      if (stack?.claim() === 'holds') giveBack(path, stack, 'given-back');
      else stack?.release('now');
    }
    const reasons = avoided.now();
    for (const [path, stack] of all) stack.setElsewhere(elsewhereOf(path, others, reasons.get(path)));
  }

  /** Gives back what this replica cannot plan, if another one may be able to. */
  function giveUpTroubled(all: ReadonlyMap<string, DividedStack>, others: readonly SessionRecord[]): void {
    for (const [path, stack] of all) {
      const trouble = stack.claim() === 'none' || stack.isLeaving() ? undefined : stack.trouble();
      if (trouble === undefined || others.every(({ avoids }) => avoids.has(path))) continue;
      if (trouble.reason === 'behind' || trouble.forMs >= intervalsToPlan * stack.intervalMs())
        giveBack(path, stack, trouble.reason);
    }
  }

  function giveBack(path: string, stack: DividedStack, reason: AvoidReason): void {
    avoided.add(path, reason, stack.intervalMs());
    log('info', 'given-back', `${path}: released to the other replicas, because ${why[reason]}`, { path, reason });
    stack.release('after-turn');
  }

  function ownClaims(): ReplicaClaims {
    const of = (claim: string): Set<string> =>
      new Set([...stacks()].flatMap(([path, stack]) => (stack.claim() === claim ? [path] : [])));
    return { holds: of('holds'), awaits: of('awaits'), avoids: new Set(avoided.now().keys()) };
  }

  while (!signal.aborted) {
    const began = time.now();
    try {
      await round();
      if (isInOutage) log('info', 'replica', `${sharedStore} is available again`);
      isInOutage = false;
      if (!hasJoined) options.onJoined();
      hasJoined = true;
    } catch (error) {
      if (!hasJoined && !isUnavailable(error)) throw error;
      const outage = `${sharedStore} is unavailable, this replica keeps the stacks that it has`;
      if (!isInOutage) log('warn', 'replica', `${outage}: ${failureDetails(error).message}`);
      isInOutage = true;
    }
    const rest = timing.heartbeatMs - shortestSince(began, time.now());
    await time.sleep(Math.max(rest, timing.heartbeatMs / 10), signal).catch(() => undefined);
  }
  return async () => {
    await session?.leave().catch(() => undefined);
  };
}

const sharedStore = 'the shared store of the replicas (--replicas)';

const why: Readonly<Record<AvoidReason, string>> = {
  behind: 'the files of this replica are behind the commit that was applied last',
  'not-planned': 'this replica cannot plan the stack',
  'given-back': 'another replica has fewer stacks',
};

function elsewhereOf(
  path: string,
  others: ReadonlyMap<string, SessionRecord>,
  reason: AvoidReason | undefined,
): StackElsewhere {
  const all = [...others];
  const found = all.find(([, { holds }]) => holds.has(path)) ?? all.find(([, { awaits }]) => awaits.has(path));
  const [replica, { url } = {}] = found ?? [];
  return present({ replica, url, reason });
}
