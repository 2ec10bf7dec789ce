import { join } from 'node:path';
import { hasSlept, wallClock } from '../../api/clock.ts';
import { Refused } from '../../diagnostics/errors.ts';
import type { FleetStack, StackElsewhere } from '../../model/status/fleet-status.ts';
import { present } from '../../model/present.ts';
import type { WatchFailure, WatchStatus } from '../../model/status/watch-status.ts';
import { fleetUrl, stackUrl } from '../../render/status/stack-url.ts';
import { openBackend } from '../../stack/open-backend.ts';
import type { StackContext } from '../../stack/stack-context.ts';
import { UsageError } from '../../stack/usage-error.ts';
import { nextRetry, type RetryState } from '../timing/backoff.ts';
import { controlRequests } from '../control/control-requests.ts';
import { failureDetails, onWall, type FailureDetails } from '../failures.ts';
import { linkedAbort } from '../../api/linked-abort.ts';
import type { Ports } from '../ports.ts';
import { steadyTime } from '../timing/steady-time.ts';
import { milliseconds } from '../../stack/settings/lease-settings.ts';
import { readWatchedStack, runStack, type RunStackOptions } from '../run-stack.ts';
import { type DividedStack, troubleOfStack } from '../replicas/divided-stack.ts';
import { createTenure } from '../replicas/tenure.ts';
import { isShared } from '../require-durable-state.ts';
import type { TakeApprovals } from '../take-approvals.ts';
import { stackReporting, type StackReporting } from '../stack-reporting.ts';
import { byPath, type HttpRepliesOptions } from '../status/http-replies.ts';
import { stackMetricsText } from '../status/metrics.ts';
import { statusReplies } from '../status/status-server.ts';

/** What all stacks of a fleet share. */
export interface FleetOptions extends Pick<RunStackOptions, 'parallelism' | 'poll' | 'log'> {
  /** Without a directory, and with the limiters of the fleet. */
  readonly context: StackContext;
  readonly dir: string;
  /** Where others reach the page of the fleet; undefined: not known. */
  readonly url: string | undefined;
  readonly approvalsOf: TakeApprovals;
  /** Joins those that wait for their turns. */
  readonly join: () => Ports['takeTurn'];
  /** Notes the id of a stack, and returns the path of another with the same. */
  readonly claim: (path: string, id: string) => string | undefined;
  /** Notes that this process no longer has a stack. */
  readonly gaveBack: (path: string) => void;
}

/** A stack that a fleet watches, until it is stopped. */
export interface FleetMember {
  readonly stack: () => FleetStack;
  readonly reporting: () => StackReporting | undefined;
  /** Finds what answers on the stack's own page. */
  readonly find: Answers['find'];
  readonly findPost: Answers['findPost'];
  /** Tries again at once, if it could not be started, after its stack file has changed. */
  readonly fileSeen: (version: string) => void;
  /** How the replicas of the fleet take it and give it back. */
  readonly divided: DividedStack;
  /** Lets it go: what is in flight is completed, then the lock is released. */
  readonly stop: () => Promise<void>;
}

type Answers = Required<Pick<HttpRepliesOptions, 'find' | 'findPost'>>;

// Of a stack that could not be read yet.
const usualIntervalMs = 300_000;
const retry = { first: 5_000, most: 60_000 };

/** Watches a stack of a fleet. Whatever fails is the trouble of this stack alone, and is retried. */
export function startMember(path: string, seen: string, options: FleetOptions): FleetMember {
  const { now = Date.now, clock = wallClock } = options.context.io;
  const time = steadyTime(now, clock);
  const over = new AbortController();
  let version = seen;
  let status: WatchStatus | undefined;
  let failure: (WatchFailure & RetryState) | undefined;
  let current: (Answers & { readonly reporting: StackReporting }) | undefined;
  let waiting = new AbortController();
  let elsewhere: StackElsewhere | undefined;
  let intervalMs = usualIntervalMs;
  const tenure = createTenure();
  const takeTurn = tenure.turns(options.join());
  const dir = join(options.dir, path);
  const { isDivided } = options.context.fleet ?? {};
  if (isDivided !== true) tenure.attempt();
  const ended = runAgain();

  async function runAgain(): Promise<void> {
    for (;;) {
      const signal = await tenure.begun(over.signal);
      if (signal === undefined) return;
      waiting = new AbortController();
      const retryAt = await runOnce(signal).then(time.now, (error: unknown) => failed(failureDetails(error)));
      const woken = linkedAbort(waiting.signal, signal);
      await hasSlept(clock, retryAt - time.now(), woken.signal);
      woken.release();
      if (!signal.aborted) continue;
      tenure.ended();
      failure = undefined;
      options.gaveBack(path);
    }
  }

  async function runOnce(signal: AbortSignal): Promise<void> {
    const context: StackContext = { ...options.context, dir, io: { ...options.context.io, signal } };
    const open = await readWatchedStack(context);
    // The nearest stack file above is another stack's.
    if (open.dir !== dir) throw new UsageError(`${dir} has no sluice.yaml`);
    intervalMs = milliseconds(open.settings.watch.interval);
    if (isDivided === true && !isShared(open))
      throw new UsageError(
        `the state of ${path} is in a file, which other replicas cannot read`,
        'set state.postgres or state.s3 in sluice.yaml',
      );
    const rival = options.claim(path, open.stack.id);
    if (rival !== undefined)
      throw new Refused('DUPLICATE_STACK_ID', `the id ${open.stack.id} is already used by the stack in ${rival}`, {
        hint: 'if one directory is a copy of the other, run `sluice init --new-id` in the copy',
      });
    const { name } = open.stack;
    const log: Ports['log'] = (level, event, message, fields) =>
      options.log(level, event, message, { stack: name, path, ...fields });
    const approvals = options.approvalsOf(open.dir, log);
    const backend = await openBackend(context, open);
    const control = controlRequests();
    const reporting = stackReporting(context, open, log, fleetUrl(path));
    const metrics = (one: WatchStatus): string => stackMetricsText(reporting.metrics, one, []);
    current = {
      reporting,
      find: byPath(statusReplies({ ...reporting.served, metrics })),
      findPost: approvals.posts(backend, control, reporting),
    };
    try {
      const { parallelism, poll, url } = options;
      await runStack(context, open, {
        parallelism,
        poll,
        overridden: ['watch.listen', 'watch.listen_probes', ...(poll === undefined ? [] : ['watch.poll' as const])],
        url: url === undefined ? undefined : new URL(stackUrl(path), url).href,
        ...approvals.taken,
        backend,
        control,
        log,
        reporting,
        takeTurn,
        onStatus: (next) => {
          status = next;
          failure = undefined;
        },
      });
    } finally {
      status = undefined;
      current = undefined;
      await reporting.close();
      await backend.close();
    }
  }

  /** Records a failure, and returns the time of the next attempt. */
  function failed(details: FailureDetails): number {
    failure = { scope: 'stack', ...details, ...nextRetry(failure, time.now(), retry, clock.random()) };
    const { code, message, hint } = failure;
    options.log('error', 'failed', `${path}: ${message}`, { path, code, ...(hint === undefined ? {} : { hint }) });
    return failure.nextAttempt;
  }

  return {
    stack: () => ({
      ...present({ path, status: status && { ...status, now: now() }, failure: failure && onWall(failure, time) }),
      ...(tenure.isBegun() || isDivided !== true ? {} : { elsewhere: elsewhere ?? {} }),
    }),
    reporting: () => status && current?.reporting,
    find: (part) => status && current?.find(part),
    findPost: (part) => status && current?.findPost(part),
    fileSeen: (next) => {
      if (next !== version) waiting.abort();
      version = next;
    },
    divided: {
      claim: () => {
        if (!tenure.isBegun()) return 'none';
        return status?.role === 'leader' || status?.role === 'paused' ? 'holds' : 'awaits';
      },
      isLeaving: tenure.isLeaving,
      trouble: () => troubleOfStack(failure && onWall(failure, time), status, now()),
      intervalMs: () => intervalMs,
      attempt: tenure.attempt,
      release: tenure.release,
      setElsewhere: (next) => {
        elsewhere = next;
      },
    },
    stop: async () => {
      over.abort();
      tenure.release('now');
      await ended;
    },
  };
}
