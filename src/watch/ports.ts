import type { LogFields, LogLevel } from '../diagnostics/log.ts';
import type { Clock } from '../api/clock.ts';
import type { DesiredStack } from '../model/resource.ts';
import type { ApplyEvent, Outcome } from '../model/outcome.ts';
import type { FieldChange, Plan } from '../model/plan.ts';
import type { WatchStatus } from '../model/watch-status.ts';
import type { PlanInput } from '../plan/input.ts';
import type { Lock } from '../state/lock.ts';
import type { BackoffLimits } from './backoff.ts';
import type { WatchSource } from './source/watch-source.ts';
import type { SyncSettings } from './decide/sync-settings.ts';

/** The account as it was looked at for one turn, and the way to change it. */
export interface RefreshedStack {
  readonly input: PlanInput;
  /** Carries a plan out; once the signal aborts, nothing new is started. */
  readonly apply: (plan: Plan, signal: AbortSignal, onEvent: (event: ApplyEvent) => void) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

/** A stack as it was read at one moment. */
export interface LoadedStack {
  /** Errors are among its diagnostics. */
  readonly desired: DesiredStack;
  readonly switches: SyncSettings;
  /** How often the account is looked at, in milliseconds. */
  readonly intervalMs: number;
  readonly pace: BackoffLimits;
  readonly look: (desired: DesiredStack, signal: AbortSignal) => Promise<RefreshedStack>;
}

/** The world of a watch. */
export interface Ports {
  readonly stack: { readonly name: string; readonly id: string };
  readonly version: string;
  readonly source: WatchSource;
  /** Reads a stack from its directory, and tells which files it read beside the manifests. */
  readonly read: (dir: string) => Promise<{ readonly value: LoadedStack; readonly files: readonly string[] }>;
  /** Takes the lock of the stack, waiting for whoever holds it. */
  readonly lead: (signal: AbortSignal, onWait: (holder: string) => void) => Promise<Lock>;
  /** Where persons leave their wishes, and where the watch keeps what it remembers. */
  readonly files: { readonly wishes: string; readonly memory: string };
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly tell: (status: WatchStatus) => void;
  readonly log: (level: LogLevel, event: string, message: string, fields?: LogFields) => void;
  /** A plan, and the two sides of a field, as they may be shown. */
  readonly show: {
    readonly plan: (plan: Plan) => string;
    readonly field: (field: FieldChange, kind: string) => { readonly before: string; readonly after: string };
  };
}
