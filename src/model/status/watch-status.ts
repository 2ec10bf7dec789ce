import type { Diagnostic, SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { AccessComparison } from '../exposure/access-comparison.ts';
import type { RuleSource } from '../exposure/access-rules.ts';
import type { Address } from '../address.ts';
import type { ExposureMap } from '../exposure/exposed-urls.ts';
import type { ChangeOutcome } from '../outcome.ts';
import type { Action, Hazard, HazardCode } from '../plan/plan.ts';

/** A revision of the manifests: its commit, where there is git, and a digest of the content. */
export interface Revision {
  /** The digest of all files that were read, 12 hexadecimal digits; never of a secret alone. */
  readonly content: string;
  /** The commit that is checked out, in full. */
  readonly commit?: string;
  /** Files that were read differ from those of the commit. */
  readonly isUncommitted?: true;
  readonly branch?: string;
  /** The first line of the commit's message. */
  readonly subject?: string;
}

/** The roles that a process may have: only the leader applies. */
export const watchRoles = ['leader', 'standby', 'paused', 'stopping'] as const;

/** The role of this process. */
export type WatchRole = (typeof watchRoles)[number];

/** The conditions of a stack, as in Kubernetes. */
export const conditionTypes = ['Ready', 'Reconciling', 'Stalled'] as const;

/** The statuses of a condition, as in Kubernetes. */
export const conditionStatuses = ['True', 'False', 'Unknown'] as const;

/** One condition of the stack, as in Kubernetes. Times are milliseconds since 1970. */
export interface Condition {
  readonly type: (typeof conditionTypes)[number];
  readonly status: (typeof conditionStatuses)[number];
  /** One word in CamelCase, such as `InSync`, `InvalidManifests`, `WaitingForApproval`. */
  readonly reason: string;
  readonly message: string;
  readonly since: number;
}

/** How the actual state of a resource may compare with the desired one, the most urgent first. */
export const syncStatuses = [
  'failed',
  'drift-conflict',
  'blocked',
  'requires-approval',
  'requires-manual-apply',
  'drifted',
  'applying',
  'out-of-sync',
  'waiting',
  'unknown',
  'in-sync',
] as const;

/** How the actual state of a resource compares with the desired one. */
export type SyncStatus = (typeof syncStatuses)[number];

/** One resource of the stack, as the page shows it. */
export interface ResourceStatus {
  readonly address: Address;
  readonly kind: string;
  readonly syncStatus: SyncStatus;
  /** Why it is not in sync, in words. */
  readonly note?: string;
  /** The resources it refers to, and its parent, in the account or in the manifests: the edges of the graph. */
  readonly dependsOn: readonly Address[];
  /** Those of them that it gets with the change that is not applied yet. */
  readonly addedDependencies?: readonly Address[];
  /** Those of them that it loses with that change. */
  readonly removedDependencies?: readonly Address[];
  /** `file:line` */
  readonly source?: string;
  /** When its issued content expires. */
  readonly expiresAt?: number;
}

/** A field whose actual value is not the desired one. */
export interface DifferingField {
  /** A JSON pointer into spec. */
  readonly pointer: string;
  /** The value in the manifests as printable text, secrets masked. */
  readonly desired: string;
  /** The value in the account as printable text, secrets masked. */
  readonly actual: string;
  /** The account has a secret there, so `actual` is not the value. */
  readonly hasSecret?: true;
}

/** Why a change is in a plan: the manifests have it, the account drifted, the manifests no longer have it, or its renewal is due. */
export const changeCauses = ['revision', 'drift', 'removal', 'renewal'] as const;

/** One of the causes. */
export type ChangeCause = (typeof changeCauses)[number];

/** The revision with which a watch first saw a change of the manifests. */
export interface Introduction {
  readonly revision: Revision;
  /** The watch had compared another revision before, so that this one, or one between the two, has the change. */
  readonly isExact: boolean;
}

/** What a change that is not applied yet may wait for, in the order in which they are listed. */
export const pendingReasons = [
  'approval', // `sluice approve`, or another way to approve
  'manual', // sluice.yaml does not allow watch to apply it
  'protected', // it would end what is protected, or contains that: only a change of the manifests lifts it
  'operator-policy', // the operator does not allow it
  'contains-unmanaged', // it would delete what others have put inside
  'unresolved', // a creation with an unknown outcome, until `sluice state resolve`
  'plan-error', // an error of its manifest, or of the account, prevents planning it
  'refused', // the service refuses it, and is expected to refuse each retry
  'drift-conflict', // others change it back
  'retry', // it failed, and is retried
  'other-stack', // another stack is applied first: it has an output that this change uses
  'dependency', // another change of this stack comes first
] as const;

/** A change that is not applied yet. */
export interface PendingChange {
  readonly address: Address;
  readonly action: Action;
  readonly reason: (typeof pendingReasons)[number];
  /** For `dependency`: the resource whose change comes first. */
  readonly waitsFor?: Address;
  readonly message: string;
  readonly hazards: readonly Hazard[];
  /** The hazard that `message` repeats: the one for which it needs approval. */
  readonly hazardCode?: HazardCode;
  /** Absent where it is not known. */
  readonly cause?: ChangeCause;
  /** For a change of the manifests: the revision that brought it. */
  readonly introduced?: Introduction;
  /** What would change, as `plan` shows it: already safe to print. */
  readonly details: string;
  /** The fields that an update or a replacement changes. */
  readonly fields: readonly DifferingField[];
  readonly since: number;
  /** For `retry` and `refused`: when it is tried again. */
  readonly until?: number;
}

/** A field that others change back each time sluice repairs it; an empty pointer: they delete the resource each time. */
export interface DriftConflict extends DifferingField {
  readonly address: Address;
  readonly count: number;
  readonly since: number;
}

/** URLs that anyone can reach now, and that are not meant to be public. */
export interface Exposure {
  readonly address: Address;
  readonly message: string;
  readonly urls: readonly string[];
}

/** A route that breaks an access rule now. */
export interface RuleBreach {
  readonly rule: string;
  readonly source: RuleSource;
  readonly address: Address;
  /** A request that shows it; absent where none is known. */
  readonly request?: string;
  readonly message: string;
  /** Where the manifests have the route, or the module that would satisfy the rule. */
  readonly place?: SourceLocation;
  readonly rulePlace?: SourceLocation;
}

/** A failure to read, refresh or apply, and the time of the next attempt. */
export interface WatchFailure {
  /** What failed: `manifests`, `account`, or the address of a resource. */
  readonly scope: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** The HTTP status with which the service refused a change. */
  readonly status?: number;
  /** Of a change: what it was to change, as `plan` shows it; already safe to print. */
  readonly details?: string;
  readonly since: number;
  readonly attempts: number;
  readonly nextAttempt?: number;
}

/** How many changes of which kind, and how many hazards, an approval covers. */
export interface ApprovalSummary {
  readonly changes: readonly { readonly action: Action; readonly kind: string; readonly count: number }[];
  /** The most severe first. */
  readonly hazards: readonly { readonly code: HazardCode; readonly count: number }[];
}

/** What the changes that await approval are, as one value. */
export interface AwaitedApproval {
  /** The argument of `sluice approve`. */
  readonly digest: string;
  /** All that it approves, as `plan` shows it, with its warnings first: already safe to print. */
  readonly plan: string;
  readonly summary: ApprovalSummary;
  /** The changes that only depend on these: once they are done, sluice applies them automatically. */
  readonly follows: readonly { readonly action: Action; readonly address: Address }[];
  /** Who can reach what they concern, now and after them; absent where that cannot be planned, and where an earlier version wrote this. */
  readonly access?: AccessComparison;
}

/** How a watch may take approvals, beside `sluice approve`: on its status page, or by a signed commit. */
export const approvalWays = ['page', 'commit'] as const;

/** One of the ways to approve. */
export type ApprovalWay = (typeof approvalWays)[number];

/** Who approved changes, when and why. */
export interface ApprovalRecord {
  readonly digest: string;
  readonly by: string;
  readonly at: number;
  readonly reason?: string;
}

/** What may trigger an apply. */
export const applyTriggers = ['revision', 'drift', 'approval', 'renewal', 'retry'] as const;

/** When and why an apply started, and of what. */
export interface ApplyStart {
  readonly startedAt: number;
  readonly trigger: (typeof applyTriggers)[number];
  /** A person asked for a reconciliation, which then found these changes. */
  readonly isRequested?: true;
  readonly revision?: Revision;
  readonly digest: string;
  /** The approvals that its changes required. */
  readonly approvals: readonly ApprovalRecord[];
}

/** How far a change of a running apply has come, in the order in which a person looks for them. */
export const changeProgresses = ['failed', 'skipped', 'running', 'to-do', 'done'] as const;

/** A change of a running apply. `skipped`: it was not started, because another one was not done. Why one failed is in `failures`. */
export interface RunningChange {
  readonly address: Address;
  readonly action: Action;
  readonly progress: (typeof changeProgresses)[number];
  /** For `skipped`: the change that was not done. */
  readonly failedDependency?: Address;
  /** What it changes, as `plan` shows it, until it has ended: already safe to print. Of those that have not started, the first. */
  readonly details?: string;
}

/** An apply that is running. */
export interface RunningApply extends ApplyStart {
  /** In the order of the plan. */
  readonly changes: readonly RunningChange[];
}

/** An apply that has ended. */
export interface ApplyRecord extends ApplyStart {
  readonly finishedAt: number;
  readonly outcome: readonly ChangeOutcome[];
  /** Further changes, of which only the number is kept. */
  readonly omitted?: readonly (Pick<ChangeOutcome, 'action' | 'ending'> & { readonly count: number })[];
  readonly requests: number;
  /** The plan as text, already safe to print. */
  readonly plan: string;
}

/** The status of a stack as its leader records it for whoever is on standby. */
export interface RecordedStatus {
  /** Its condition `Ready`. */
  readonly ready: Condition;
  /** What only a person can resolve, in words. */
  readonly asked: readonly string[];
}

/** What stays in force as it was because of errors in the manifests. */
export interface KeptVersions {
  /** The files and directories with errors, named as in places. */
  readonly files: readonly string[];
  /** Nobody knows which resource an error is about. */
  readonly isAll: boolean;
  /** The resources that keep their last valid version. */
  readonly addresses: readonly Address[];
}

/** The status of `sluice watch` as one value: the page, the JSON and the gauges are made from it. */
export interface WatchStatus {
  readonly stack: { readonly name: string; readonly id: string };
  /** The directory of the stack on the machine that watches it. */
  readonly dir?: string;
  readonly version: string;
  readonly startedAt: number;
  /** When this value was taken. */
  readonly now: number;
  readonly role: WatchRole;
  /** The leader, while this process is on standby. */
  readonly leader?: string;
  /** The status page of the leader, where it is known. */
  readonly leaderUrl?: string;
  /** When the leader last sent a heartbeat, as far as this process has seen. */
  readonly leaderHeartbeat?: number;
  /** What the leader has recorded last, which it does whenever that changes. */
  readonly leaderRecorded?: RecordedStatus;
  /** A pause that a person has asked for. */
  readonly pause?: {
    /** Absent if the pause lasts until `sluice resume`. */
    readonly until?: number;
    /** When it was asked for; absent where an earlier version wrote it. */
    readonly at?: number;
    readonly by?: string;
    readonly reason?: string;
  };
  /** It waits for its turn: other stacks of its fleet reconcile. */
  readonly isQueued?: boolean;
  readonly conditions: readonly Condition[];
  /** The revision that was read last. */
  readonly revision?: Revision;
  /** The last revision without errors, where the one read last has errors. */
  readonly lastGood?: Revision;
  /** What stays as it was, where manifests have errors. */
  readonly kept?: KeptVersions;
  /** The revision that the account was last compared with. */
  readonly observed?: Revision;
  /** The last revision that was in sync or applied as a whole. */
  readonly applied?: Revision;
  readonly resources: readonly ResourceStatus[];
  readonly pending: readonly PendingChange[];
  /** All changes that require approval. */
  readonly awaited?: AwaitedApproval;
  /** Who has approved them; it counts once what is in the way has ended. */
  readonly approvalGiven?: ApprovalRecord;
  /** How they can be approved, beside `sluice approve`. */
  readonly approvalWays: readonly ApprovalWay[];
  /** Why an approval that was given for them does not count. */
  readonly refusedApproval?: string;
  readonly applying?: RunningApply;
  /** Newest first, at most 50. */
  readonly history: readonly ApplyRecord[];
  readonly driftConflicts: readonly DriftConflict[];
  readonly exposures: readonly Exposure[];
  readonly ruleBreaches: readonly RuleBreach[];
  /** Who can reach what; absent: not known yet. */
  readonly exposure?: ExposureMap;
  readonly failures: readonly WatchFailure[];
  /** Errors and warnings of the manifests, and warnings of the last plan, with places. */
  readonly diagnostics: readonly Diagnostic[];
  readonly lastSuccess?: number;
  /** When the whole account was last read; absent: not yet. */
  readonly lastRefresh?: number;
  /** When the next refresh is due, unless a change triggers one before. */
  readonly nextRefresh?: number;
  /** When the next reconciliation has run at the latest, by the monotonic clock of the process; if it has not, the process hangs. */
  readonly dueBy?: number;
}
