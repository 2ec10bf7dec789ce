import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Address } from './address.ts';
import type { ChangeOutcome } from './outcome.ts';
import type { Action, Hazard } from './plan.ts';

/** Where the manifests stand: what git says, where there is git, and a digest of the content. */
export interface Revision {
  /** Of everything that was read, 12 hexadecimal digits; never of a secret alone. */
  readonly content: string;
  /** The commit, in full. */
  readonly commit?: string;
  readonly branch?: string;
  /** The first line of the commit's message. */
  readonly subject?: string;
}

/** Whether this process is the one that acts. */
export type WatchRole = 'leading' | 'standing-by' | 'paused' | 'stopping';

/** One of the three things to know at a glance. Times are milliseconds since 1970. */
export interface Condition {
  readonly type: 'Ready' | 'Reconciling' | 'Stalled';
  readonly status: boolean;
  /** One word in CamelCase, such as `InSync`, `InvalidManifests`, `WaitingForApproval`. */
  readonly reason: string;
  readonly message: string;
  readonly since: number;
}

/** How one resource stands. */
export type SyncStatus = 'unknown' | 'in-sync' | 'changing' | 'applying' | 'drifted' | 'waiting' | 'fight' | 'failed';

/** One resource of the stack, as the page shows it. */
export interface ResourceStatus {
  readonly address: Address;
  readonly kind: string;
  readonly standing: SyncStatus;
  /** Why it does not stand as the manifests say, in words. */
  readonly note?: string;
  /** What it refers to or lives in: the edges of the graph. */
  readonly needs: readonly Address[];
  /** `file:line` */
  readonly source?: string;
  /** When what was issued ends. */
  readonly expiresAt?: number;
}

/** A change that is not made until somebody or something lets it. */
export interface PendingChange {
  readonly address: Address;
  readonly action: Action;
  /** `approval`: `sluice approve` lets it go on; `protected`: only the manifests can; `switch`: sluice.yaml does not let watch do this; `retry`: it failed and is tried again; `fight`; `resolve`: a creation whose answer was lost, until a person says what it made; `another`: what it needs waits itself; `manifest`: its manifest is broken. */
  readonly for: 'approval' | 'protected' | 'switch' | 'retry' | 'fight' | 'resolve' | 'another' | 'manifest';
  readonly why: string;
  readonly hazards: readonly Hazard[];
  readonly since: number;
  /** For `retry`: when. */
  readonly until?: number;
}

/** A field that others put back as often as sluice puts it right. */
export interface DriftConflict {
  readonly address: Address;
  /** RFC 6901, into spec; empty: the whole resource is deleted again and again. */
  readonly pointer: string;
  /** What the manifests say, as it may be shown. */
  readonly ours: string;
  /** What is put there by others, as it may be shown. */
  readonly theirs: string;
  readonly times: number;
  readonly since: number;
}

/** What went wrong while reading, looking or applying, and when it is tried again. */
export interface WatchFailure {
  /** What is tried: `manifests`, `account`, or the address of a resource. */
  readonly cause: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly since: number;
  readonly tries: number;
  readonly nextTry?: number;
}

/** An apply that is running. */
export interface RunningApply {
  readonly began: number;
  readonly digest: string;
  readonly total: number;
  readonly done: number;
  readonly running: readonly Address[];
}

/** An apply that has ended. */
export interface ApplyRecord {
  readonly began: number;
  readonly ended: number;
  readonly why: 'revision' | 'drift' | 'approval' | 'renewal' | 'retry';
  readonly revision?: Revision;
  readonly digest: string;
  readonly outcome: readonly ChangeOutcome[];
  readonly requests: number;
  /** The plan as text, already safe to print. */
  readonly plan: string;
}

/** What a watching sluice knows and does, as one value: its page, its JSON and its gauges are made from it. */
export interface WatchStatus {
  readonly stack: { readonly name: string; readonly id: string };
  readonly version: string;
  readonly began: number;
  /** The moment this value tells of. */
  readonly now: number;
  readonly role: WatchRole;
  /** Who leads, while this one stands by. */
  readonly leader?: string;
  readonly pause?: { readonly until: number; readonly reason?: string };
  readonly conditions: readonly Condition[];
  /** As last read. */
  readonly revision?: Revision;
  /** As last read without an error, where the last one read has some. */
  readonly inForce?: Revision;
  readonly resources: readonly ResourceStatus[];
  readonly waiting: readonly PendingChange[];
  /** What `sluice approve` takes to let everything go on that waits for approval. */
  readonly approve?: string;
  readonly applying?: RunningApply;
  /** Newest first, at most 50. */
  readonly history: readonly ApplyRecord[];
  readonly fights: readonly DriftConflict[];
  readonly troubles: readonly WatchFailure[];
  /** What is wrong with the manifests, with places. */
  readonly diagnostics: readonly Diagnostic[];
  readonly lastSuccess?: number;
  /** When the account was last looked at as a whole; absent: never yet. */
  readonly looked?: number;
  /** When it looks next, unless something happens before. */
  readonly next?: number;
  /** The moment by which the loop has turned again, whatever happens; one that has not by then hangs. */
  readonly dueBy?: number;
}
