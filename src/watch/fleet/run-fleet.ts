import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { hasSlept, wallClock } from '../../api/clock.ts';
import { readStackFile, stackFileName } from '../../manifest/stack-file/stack-file.ts';
import type { FleetStatus } from '../../model/fleet-status.ts';
import { accountLimiters } from '../../stack/service/account-limiters.ts';
import { accountLists } from '../../stack/service/account-lists.ts';
import { socketVariable } from '../../stack/open-backend.ts';
import type { StackContext } from '../../stack/stack-context.ts';
import { UsageError } from '../../stack/usage-error.ts';
import { failureDetails } from '../failures.ts';
import { listenForStatus, type ListenOptions } from '../listen-for-status.ts';
import type { RunWatchOptions } from '../run-watch.ts';
import { takeApprovals, type WatchApprovalFlags } from '../approvals/stack-approvals.ts';
import { serveReplies } from '../status/http-replies.ts';
import { measureProcess } from '../status/process-gauges.ts';
import { startMember, type FleetMember } from './fleet-member.ts';
import { openReplicas } from '../replicas/open-replicas.ts';
import { runReplica } from '../replicas/run-replica.ts';
import { fleetPosts, fleetProbes, fleetReplies } from './fleet-replies.ts';
import { searchStacks } from './search-stacks.ts';
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
  const accounts = new Map<string, string>();
  const sharing = options.replicas === undefined ? undefined : await openReplicas(given, dir, options.replicas);
  const limiters = accountLimiters(
    clock,
    sharing && ((stack) => stacksOfAccount(accounts, relative(dir, stack) || '.')),
  );
  const lists = accountLists(now);
  const context: StackContext = {
    ...given,
    isUnattended: true,
    io: { ...io, env },
    fleet: { limiters, lists, ...(sharing === undefined ? {} : { isDivided: true }) },
  };
  const approvalsOf = takeApprovals(context, options, { dir, isServed: listen !== false });
  const turns = createTurns(concurrency);
  const members = new Map<string, FleetMember>();
  const leaving = new Set<Promise<void>>();
  const ids = new Map<string, string>();
  const startedAt = now();
  let searchFailure: string | undefined;
  let searchDueBy: number | undefined;
  let lastSearch: number | undefined;
  const fleet = (): FleetStatus => ({
    version: context.version,
    startedAt,
    now: now(),
    isStopping: io.signal.aborted,
    stacks: [...members.values()].map((member) => member.stack()),
    ...(searchDueBy === undefined ? {} : { searchDueBy }),
    ...(lastSearch === undefined ? {} : { lastSearch }),
    ...(searchFailure === undefined ? {} : { searchFailure }),
  });
  const served = {
    fleet,
    now,
    member: (path: string) => members.get(path),
    members: () => [...members.values()],
    ofProcess: measureProcess(),
  };
  const onError = (error: unknown): void => log('warn', 'server', failureDetails(error).message);
  const listeners = await listenForStatus({
    listen,
    listenProbes,
    serve: (at) =>
      serveReplies({
        ...at,
        onError,
        find: fleetReplies(served),
        findPost: fleetPosts(served),
        proxyUrl: options.url,
      }),
    serveProbes: (at) => serveReplies({ ...at, onError, find: fleetProbes(served) }),
    log,
  });
  const url = options.url ?? listeners.url;

  function search(): void {
    const { stacks, failure } = searchStacks(dir);
    if (failure !== undefined && failure !== searchFailure) log('warn', 'search', failure);
    searchFailure = failure;
    if (failure === undefined) lastSearch = now();
    // What a failed search did not find may still exist.
    const gone = failure === undefined ? [...members.keys()].filter((path) => !stacks.has(path)) : [];
    for (const path of gone) letGo(path);
    const found = [...stacks].filter(([path]) => !members.has(path));
    // The ids of all are known before the first one starts, so that of two copies none does.
    for (const [path] of found) {
      const settings = readStackFile(join(dir, path, stackFileName)).file?.settings;
      if (settings !== undefined) ids.set(path, settings.stack.id);
      accounts.set(path, settings?.api.key.from_env ?? '');
    }
    for (const [path, version] of stacks) members.get(path)?.fileSeen(version);
    for (const [path, version] of found) {
      log('info', 'found', `found the stack ${path}`, { path });
      members.set(path, startMember(path, version, memberOptions));
    }
  }

  const memberOptions = {
    context,
    dir,
    url: url === undefined ? undefined : url.replace(/\/*$/, '/'),
    parallelism: options.parallelism,
    ...(options.poll === undefined ? {} : { poll: options.poll }),
    log,
    approvalsOf,
    join: turns.join,
    gaveBack: forgetAccount,
    claim: (path: string, id: string): string | undefined => {
      ids.set(path, id);
      return [...ids].find(([other, one]) => one === id && other !== path)?.[0];
    },
  };

  function forgetAccount(path: string): void {
    limiters.forget(join(dir, path));
    lists.forget(join(dir, path));
  }

  function letGo(path: string): void {
    log('info', 'removed', `${path} is no longer a stack: it is not watched any more, and nothing of it is deleted`, {
      path,
    });
    const member = members.get(path);
    members.delete(path);
    accounts.delete(path);
    const left = (member?.stop() ?? Promise.resolve()).finally(() => {
      leaving.delete(left);
      if (members.has(path)) return;
      ids.delete(path);
      forgetAccount(path);
    });
    leaving.add(left);
  }

  log('info', 'started', `watching the stacks in ${dir}`, { version: context.version, concurrency });
  const ended =
    sharing &&
    runReplica(
      {
        ...sharing,
        about: () => ({
          version: context.version,
          since: new Date(startedAt).toISOString(),
          ...(memberOptions.url === undefined ? {} : { url: memberOptions.url }),
        }),
        stacks: () => new Map([...members].map(([path, { divided }]) => [path, divided] as const).sort(byName)),
        log,
      },
      io.signal,
    );
  try {
    while (!io.signal.aborted) {
      search();
      if (searchDueBy === undefined && members.size === 0)
        log('warn', 'search', `there is no ${stackFileName} in ${dir}`);
      searchDueBy = now() + searchMs + 60_000;
      await hasSlept(clock, searchMs, io.signal);
    }
    await Promise.all([...members.values()].map((member) => member.stop()));
    await Promise.all(leaving);
    const leave = await ended;
    await leave?.();
  } finally {
    await listeners.close();
    await sharing?.store.close();
  }
  log('info', 'ended', 'stopped');
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** How many stacks of the fleet use the same variable for their key, which is the account as far as all replicas can tell. */
function stacksOfAccount(accounts: ReadonlyMap<string, string>, path: string): number {
  const own = accounts.get(path);
  return [...accounts.values()].filter((account) => account === own).length;
}
