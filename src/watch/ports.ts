import type { LogFields, LogLevel } from '../diagnostics/log.ts';
import type { Clock } from '../api/clock.ts';
import type { DesiredStack } from '../model/resource.ts';
import type { ApplyEvent, Outcome } from '../model/outcome.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { ApprovalRecord, WatchStatus } from '../model/status/watch-status.ts';
import type { PlannedRouting } from '../plan/access-policy/planned-routing.ts';
import type { PlanInput } from '../plan/input.ts';
import type { ApprovingCommit } from '../stack/git/approving-commits.ts';
import type { KeptDocument } from '../state/backend.ts';
import type { Lock } from '../state/lock.ts';
import type { ControlRequests } from './control/control-requests.ts';
import type { BackoffLimits } from './timing/backoff.ts';
import type { ReadSource, WatchSource } from './source/watch-source.ts';
import type { SyncSettings } from './decide/sync-policy.ts';

/** The account as refreshed for one reconciliation, and the way to change it. */
export interface RefreshedStack {
  readonly input: PlanInput;
  /** All changes; apply gets those that may be applied now. */
  readonly plan: Plan;
  /** The edges and routes, now and as that plan leaves them. */
  readonly routing: PlannedRouting;
  /** The state records the current commit as applied, or there is no commit. */
  readonly isRecorded: boolean;
  /** Applies a plan, or a part of what is to be done, and records who approved it; once the signal aborts, nothing new is started. */
  readonly apply: (
    applied: {
      readonly plan: Plan;
      readonly isPart: boolean;
      readonly approvals: readonly ApprovalRecord[];
      /** The digest under which the log and the status show it. */
      readonly digest?: string;
    },
    signal: AbortSignal,
    onEvent: (event: ApplyEvent) => void,
  ) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

/** A stack as loaded from its files. */
export interface LoadedStack {
  /** Errors are among its diagnostics. */
  readonly desired: DesiredStack;
  readonly syncSettings: SyncSettings;
  /** The time between two refreshes of the account, in milliseconds. */
  readonly intervalMs: number;
  readonly backoff: BackoffLimits;
  /** Whether files, as they were read, differ from those of the commit; undefined if that is unknown. */
  readonly uncommitted?: () => Promise<boolean | undefined>;
  /** `mayReuse`: that nothing is to be done may follow from lists that another stack of the account has just read. */
  readonly refresh: (desired: DesiredStack, signal: AbortSignal, mayReuse: boolean) => Promise<RefreshedStack>;
}

/** The outside of a watch: files, the lock, time, logs. */
export interface Ports {
  readonly stack: { readonly name: string; readonly id: string };
  /** The directory of the stack, as it was named. */
  readonly dir: string;
  readonly version: string;
  /** Where others reach the status page of this process; undefined: not known. */
  readonly url: string | undefined;
  /** How approvals are taken, beside `sluice approve`. */
  readonly approvalWays: WatchStatus['approvalWays'];
  /** The approvals in commits of the repository, the newest first; none where they do not count. */
  readonly approvingCommits: () => Promise<readonly ApprovingCommit[]>;
  readonly source: WatchSource;
  /** Reads a stack from its directory, and returns which other files it read. */
  readonly read: ReadSource<LoadedStack>;
  /** Takes the lock of the stack; waits for its holder, and reports how long ago its last heartbeat was. */
  readonly acquireLock: (
    signal: AbortSignal,
    onWait: (holder: string, command?: string) => void,
    onHeartbeat: (quietMs: number) => void,
  ) => Promise<Lock>;
  /** The operator requests, and what this watch keeps across restarts. */
  readonly documents: { readonly requests: KeptDocument; readonly state: KeptDocument };
  /** What commands of this machine ask of this process. */
  readonly control: ControlRequests;
  /** Listens for commands of this machine, in place of whichever process did before; nothing, where this one does already. */
  readonly openSocket: () => Promise<void>;
  /** Waits until a reconciliation may begin; what it resolves with ends it. */
  readonly takeTurn: (signal: AbortSignal) => Promise<() => void>;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly publish: (status: WatchStatus) => void;
  readonly log: (level: LogLevel, event: string, message: string, fields?: LogFields) => void;
}
