import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { hasSlept, wallClock } from '../../api/clock.ts';
import { stackFileName } from '../../manifest/stack-file/stack-file.ts';
import { present } from '../../model/present.ts';
import type { FleetStatus } from '../../model/status/fleet-status.ts';
import { accountLimiters, accountLists } from '../../stack/service/account-limiters.ts';
import { socketVariable } from '../../stack/open-backend.ts';
import type { StackContext } from '../../stack/stack-context.ts';
import { UsageError } from '../../stack/usage-error.ts';
import { failureDetails } from '../failures.ts';
import { linkedAbort } from '../../api/linked-abort.ts';
import { listenForStatus, type ListenOptions } from '../listen-for-status.ts';
import type { RunWatchOptions } from '../run-watch.ts';
import { takeApprovals, type WatchApprovalFlags } from '../take-approvals.ts';
import { serveReplies } from '../status/http-replies.ts';
import { measureProcess } from '../status/process-gauges.ts';
import { startMember } from './fleet-member.ts';
import { fleetMembers } from './fleet-members.ts';
import { openReplicas } from '../replicas/open-replicas.ts';
import { runReplica } from '../replicas/run-replica.ts';
import { fleetPosts, fleetProbes, fleetReplies } from './fleet-replies.ts';
import { createTurns } from './turns.ts';

/** How to watch every stack of a directory. */
export interface RunFleetOptions
  extends Pick<RunWatchOptions, 'parallelism' | 'poll' | 'url' | 'log'>, ListenOptions, WatchApprovalFlags {
  /** How many stacks reconcile at a time. */
  readonly concurrency: number;
  /** The time between two searches for stacks, in milliseconds. */
  readonly searchMs: number;
  /** The file of the operator that names the store which several replicas share. */
  readonly replicas?: string;
}

/** Watches every stack at or below a directory, as they come and go, until the signal of the context aborts. */
export async function runFleet(given: StackContext, dir: string, options: RunFleetOptions): Promise<void> {
  const { io } = given;
  const { log, concurrency, searchMs, listen, listenProbes } = options;
  const { clock = wallClock, now = Date.now } = io;
  const isDirectory = await stat(dir).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isDirectory)
    throw new UsageError(`${dir} is not a directory`, 'pass a directory that contains stacks to --fleet');
  // One socket cannot serve many stacks: each has its own, beside its state.
  const { [socketVariable]: _, ...env } = io.env;
  const sharing = options.replicas === undefined ? undefined : await openReplicas(given, dir, options.replicas);
  const limiters = accountLimiters(clock, sharing && ((stack) => members.shareOfAccount(relative(dir, stack) || '.')));
  const lists = accountLists(now);
  const context: StackContext = {
    ...given,
    isUnattended: true,
    io: { ...io, env },
    fleet: { limiters, lists, ...(sharing === undefined ? {} : { isDivided: true }) },
  };
  const approvalsOf = takeApprovals(context, options, { dir, isServed: listen !== false });
  const turns = createTurns(concurrency);
  const startedAt = now();
  let searchDueBy: number | undefined;
  let isJoining = sharing !== undefined;
  const members = fleetMembers({
    dir,
    now,
    log,
    start: (path, version, claim) => startMember(path, version, { ...memberOptions, claim }),
    onLeft: forgetAccount,
  });
  const fleet = (): FleetStatus => ({
    version: context.version,
    startedAt,
    now: now(),
    isStopping: io.signal.aborted,
    stacks: [...members.all.values()].map((member) => member.stack()),
    isJoining,
    ...present({ searchDueBy, ...members.searched() }),
  });
  const served = { fleet, now: clock.now, members: members.all, ofProcess: measureProcess() };
  const onError = (error: unknown): void => log('warn', 'server', failureDetails(error).message);
  const listeners = await listenForStatus({
    listen,
    listenProbes,
    serve: (at) =>
      serveReplies({
        ...at,
        onError,
        find: fleetReplies(served),
        findPost: fleetPosts(served, options.approvalTokenFile !== undefined),
        proxyUrl: options.url,
      }),
    serveProbes: (at) => serveReplies({ ...at, onError, find: fleetProbes(served) }),
    caller: context,
    log,
  });
  const url = options.url ?? listeners.url;

  const memberOptions = {
    context,
    dir,
    url: url === undefined ? undefined : url.replace(/\/*$/, '/'),
    parallelism: options.parallelism,
    poll: options.poll,
    log,
    approvalsOf,
    join: turns.join,
    gaveBack: forgetAccount,
  };

  function forgetAccount(path: string): void {
    limiters.forget(join(dir, path));
    lists.forget(join(dir, path));
  }

  log('info', 'started', `watching the stacks in ${dir}`, { version: context.version, concurrency });
  const ended =
    sharing &&
    runReplica(
      {
        ...sharing,
        about: () => ({ version: context.version, since: new Date(startedAt).toISOString(), url: memberOptions.url }),
        onJoined: () => {
          isJoining = false;
        },
        stacks: () => new Map([...members.all].map(([path, { divided }]) => [path, divided] as const).sort(byName)),
        log,
      },
      io.signal,
    );
  const refused = new AbortController();
  ended?.catch(() => refused.abort());
  const over = linkedAbort(io.signal, refused.signal).signal;
  try {
    while (!over.aborted) {
      await members.search();
      if (searchDueBy === undefined && members.all.size === 0)
        log('warn', 'search', `there is no ${stackFileName} in ${dir}`);
      searchDueBy = clock.now() + searchMs + 60_000;
      await hasSlept(clock, searchMs, over);
    }
    await members.stop();
    const leave = await ended;
    await leave?.();
  } finally {
    await listeners.close();
    await sharing?.store.close();
  }
  log('info', 'ended', 'stopped');
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);
