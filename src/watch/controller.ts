import { InvalidInput, Refused } from '../diagnostics/errors.ts';
import { hasErrors, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { ExposureMap } from '../model/exposure/exposed-urls.ts';
import type {
  RunningApply,
  AwaitedApproval,
  Condition,
  ResourceStatus,
  Revision,
  WatchRole,
  WatchStatus,
} from '../model/status/watch-status.ts';
import type { Lock } from '../state/lock.ts';
import { questionsOf } from '../render/status/status-questions.ts';
import { conditionsOf } from './status/conditions.ts';
import { lastGood, type StackInForce } from './decide/last-good.ts';
import { present } from '../model/present.ts';
import { OtherLeader, type Holder } from './other-leader.ts';
import type { Ports, LoadedStack } from './ports.ts';
import type { SourceReading } from './source/watch-source.ts';
import { PendingChanges } from './pending-changes.ts';
import { logAwaited, logManifests, logPause, logRole } from './log-lines.ts';
import { failureDetails, Failures } from './failures.ts';
import { KeptWatchState } from './kept-watch-state.ts';
import { DesiredHashes } from './decide/desired-hashes.ts';
import type { OperatorRequests } from './operator-requests.ts';
import { indefinitely } from './pause-request.ts';
import { steadyTime, type SteadyTime } from './timing/steady-time.ts';
import { nextRefreshMs } from './timing/refresh-interval.ts';

const defaultBackoff = { first: 5_000, most: 600_000 };
const noFindings: Pick<WatchStatus, 'driftConflicts' | 'exposures' | 'ruleBreaches'> = {
  driftConflicts: [],
  exposures: [],
  ruleBreaches: [],
};

/** The state of a watch between two reconciliations. Every change of it is published. */
export class Controller {
  readonly #ports: Ports;
  readonly #began: number;
  /** The time by which refreshes and retries are due. */
  readonly time: SteadyTime;
  readonly failures: Failures;
  /** What it keeps across restarts. */
  readonly kept: KeptWatchState;
  #role: WatchRole = 'standby';
  #leader: OtherLeader | undefined;
  #lock: Lock | undefined;
  #pause: WatchStatus['pause'];
  #conditions: readonly Condition[] = [];
  #published: WatchStatus | undefined;
  stack: LoadedStack | undefined;
  desired: StackInForce | undefined;
  revision: Revision | undefined;
  #goodRevision: Revision | undefined;
  #observed: Revision | undefined;
  #diagnostics: readonly Diagnostic[] = [];
  #next: number | undefined;
  #lastRefresh: number | undefined;
  #lastSuccess: number | undefined;
  #isRefreshDue = false;
  #isQueued = false;
  /** Whether a person has asked for the reconciliation that runs. */
  isRequested = false;
  readonly desiredHashes = new DesiredHashes();
  readonly pending: PendingChanges;
  /** The version of the operator requests that was read last. */
  requestsVersion = '';
  /** Approvals that operators have requested, as they were last read. */
  requestedApprovals: OperatorRequests['approvals'] = [];
  /** What the last refresh has found that a person may have to resolve. */
  findings = noFindings;
  /** What the last plan warns about. */
  planWarnings: readonly Diagnostic[] = [];
  exposure: ExposureMap | undefined;
  resources: readonly ResourceStatus[] = [];
  applying: RunningApply | undefined;
  #refusedApproval: string | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#began = ports.now();
    this.time = steadyTime(ports.now, ports.clock);
    this.failures = new Failures(ports, this.time, () => this.stack?.backoff ?? defaultBackoff);
    this.pending = new PendingChanges(ports, this.desiredHashes);
    this.kept = new KeptWatchState(ports.documents.state, ports.stack.id, ports.now);
  }

  setRole(role: Exclude<WatchRole, 'leader' | 'paused'>, leader?: Holder): void {
    if (role !== this.#role || leader?.name !== this.#leader?.name) logRole(this.#ports.log, role, leader?.name);
    this.#role = role;
    this.#leader = leader === undefined ? undefined : new OtherLeader(leader, this.#ports);
    this.#lock = undefined;
    this.#next = undefined;
    if (leader !== undefined) this.#clearStatus();
    this.publish();
  }

  /** While this process is a standby: reads where the status page of the leader is, and the status that it recorded. The leader of another stack keeps this one from ever being reconciled. */
  async findLeader(): Promise<void> {
    try {
      await this.#leader?.read(this.#ports.documents.state);
      this.publish();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.failed('lock', error);
    }
  }

  /** While this process is a standby: the leader sent its last heartbeat so long ago. */
  leaderSentHeartbeat(quietMs: number): void {
    if (this.#leader?.sentHeartbeat(this.#ports.now() - quietMs) === true) this.publish();
  }

  /** Pending changes and failures are published by the leader only. */
  #clearStatus(): void {
    this.failures.clear();
    this.#diagnostics = [];
    this.pending.clear();
    this.findings = noFindings;
    this.planWarnings = [];
    this.exposure = undefined;
    this.resources = [];
    this.setAwaited(undefined, undefined);
  }

  /** Another process may have been the leader meanwhile, so everything is loaded again. */
  async becomeLeader(lock: Lock): Promise<void> {
    await this.loadState();
    this.stack = undefined;
    this.desired = undefined;
    this.#goodRevision = undefined;
    this.#observed = undefined;
    this.#lastRefresh = undefined;
    this.failures.retryNow();
    this.desiredHashes.clear();
    this.pending.forgetRevisions();
    this.#role = 'leader';
    this.#leader = undefined;
    this.#lock = lock;
    this.kept.update({ url: this.#ports.url });
    this.#ports.log('info', 'role', 'this process is the leader');
    this.publish();
  }

  pause({ until, ...facts }: NonNullable<OperatorRequests['pause']>): void {
    const next = present({ until: until >= indefinitely ? undefined : until, ...facts });
    if (this.#pause === undefined || this.#pause.until !== next.until || this.#pause.reason !== next.reason)
      logPause(this.#ports.log, next);
    this.#pause = next;
    this.#role = 'paused';
    [this.#lock, this.#next] = [undefined, undefined];
    this.publish();
  }

  resume(): void {
    if (this.#pause === undefined) return;
    this.#pause = undefined;
    this.#ports.log('info', 'resumed', 'reconciliation resumed');
    this.setRole('standby');
  }

  /** A reconciliation is due; it may have to wait for its turn. */
  startReconcile(): void {
    this.kept.startReconcile();
    this.#next = undefined;
    this.#isQueued = true;
    this.publish();
  }

  /** Its turn has come; a person may have asked for it. */
  startTurn(isRequested: boolean): void {
    this.#isQueued = false;
    this.isRequested = isRequested;
    this.publish();
  }

  /** Uses the manifests as far as they have no errors; a newer revision is tried at once, whatever failed before. */
  setManifests({ value, revision, isNew }: SourceReading<LoadedStack>): void {
    const { diagnostics } = value.desired;
    this.failures.recovered('manifests');
    this.stack = value;
    this.desired = lastGood(value.desired, this.desired);
    if (isNew) {
      this.failures.retryNow();
      logManifests(this.#ports.log, value.desired, revision, this.desired.kept);
    }
    this.revision = revision;
    this.#diagnostics = diagnostics;
    if (!hasErrors(diagnostics)) this.#goodRevision = revision;
    this.publish();
  }

  /** Something failed: it is retried with exponential backoff. Nothing is known of an account that could not be compared. */
  failed(cause: string, error: unknown): void {
    if (error instanceof InvalidInput) this.#diagnostics = error.diagnostics;
    if (cause === 'account') this.resources = this.resources.map((one) => ({ ...one, syncStatus: 'unknown' }));
    this.failures.record(cause, failureDetails(error));
    this.publish();
  }

  setRefreshed(): void {
    this.failures.recovering('account');
    this.#observed = this.revision;
    this.#lastRefresh = this.time.now();
    this.#isRefreshDue = false;
  }

  /** What was found in the account is out of date, so the next reconciliation starts at once. */
  refreshAgain(): void {
    this.#isRefreshDue = true;
  }

  /** Everything is in sync or applied: so is the revision, if it has no errors. */
  succeeded(): void {
    this.#lastSuccess = this.#ports.now();
    if (this.revision !== undefined && !hasErrors(this.#diagnostics)) this.kept.update({ applied: this.revision });
  }

  setAwaited(awaited: AwaitedApproval | undefined, refused: string | undefined): void {
    if (refused !== undefined && refused !== this.#refusedApproval)
      this.#ports.log('warn', 'approval-refused', refused);
    this.#refusedApproval = refused;
    this.kept.update({ awaited });
  }

  /** Writes the watch state, as long as this process is the leader, then announces what can be approved. A failure stops nothing; it is tried again when its retry is due. */
  async saveState(): Promise<void> {
    const { kept } = this;
    if (this.#lock?.isMine() !== true || this.failures.retryAt('watch-state') !== undefined) return;
    if (!kept.isLoaded) {
      if (!(await this.loadState())) return;
      kept.update({ url: this.#ports.url });
      // What was compared so far was digested otherwise, and what waits may be other changes than when it was written.
      this.desiredHashes.clear();
      this.refreshAgain();
    }
    if (kept.isSaved) {
      this.failures.recovered('watch-state');
      return;
    }
    try {
      const digest = await kept.save();
      // Approvals that could not be accepted meanwhile are accepted now.
      if (this.failures.find('watch-state') !== undefined) this.refreshAgain();
      this.failures.recovered('watch-state');
      if (digest !== undefined) logAwaited(this.#ports, digest);
    } catch (error) {
      this.failed('watch-state', error);
    }
  }

  /** Writes the pause that begins while this process still has the lock: it outlives its document. */
  async savePause(): Promise<void> {
    this.#next = undefined;
    this.publish();
    await this.saveState();
  }

  /** During a pause, which no process writes: a watch state that was lost is written again, since nobody could prove the end of the pause without its salt. */
  async restoreState(): Promise<void> {
    const { kept, failures } = this;
    if (await kept.isChanged()) await this.loadState();
    if (!kept.isLoaded || !kept.isLost || failures.retryAt('watch-state') !== undefined) return;
    try {
      await kept.save();
      failures.recovered('watch-state');
      this.publish();
    } catch (error) {
      this.failed('watch-state', error);
    }
  }

  /** Records the status of the stack for whoever is on standby, where that has changed. */
  async saveRecorded(): Promise<void> {
    const ready = this.#conditions.find(({ type }) => type === 'Ready');
    if (ready === undefined || this.#published === undefined || this.#role !== 'leader') return;
    this.kept.update({ recorded: { ready, asked: questionsOf(this.#published).map(({ text }) => text) } });
    await this.saveState();
  }

  /** A reconciliation has ended. The steady time of the next one: the next refresh, or the next retry. */
  scheduleNext(): number {
    this.failures.endReconcile();
    const { now } = this.time;
    const interval = nextRefreshMs(this.stack?.intervalMs ?? defaultBackoff.first, this.#ports.clock.random);
    const due = this.#isRefreshDue ? now() : (this.#lastRefresh ?? now()) + interval;
    const refresh = this.failures.refreshAt(this.stack !== undefined) ?? due;
    this.#next = Math.max(now() + 100, Math.min(refresh, this.failures.next()));
    this.publish();
    return this.#next;
  }

  /** Answers with the status as it is now. */
  answer(asked: readonly ((status: WatchStatus) => void)[]): void {
    this.publish();
    if (this.#published !== undefined) for (const each of asked) each(this.#published);
  }

  publish(): void {
    const facts = {
      stack: this.#ports.stack,
      dir: this.#ports.dir,
      version: this.#ports.version,
      startedAt: this.#began,
      now: this.#ports.now(),
      role: this.#role,
      resources: this.resources,
      pending: this.pending.all,
      history: this.kept.now.history,
      ...this.findings,
      failures: this.failures.all,
      diagnostics: [...this.#diagnostics, ...this.planWarnings],
      approvalWays: this.#ports.approvalWays,
      ...this.#leader?.facts,
      ...present({
        exposure: this.exposure,
        pause: this.#pause,
        isQueued: this.#isQueued || undefined,
        revision: this.revision,
        lastGood: this.revision?.content === this.#goodRevision?.content ? undefined : this.#goodRevision,
        kept: this.desired?.kept,
        observed: this.#observed,
        applied: this.kept.now.applied,
        awaited: this.kept.now.awaited,
        refusedApproval: this.#refusedApproval,
        approvalGiven: this.kept.unreadApproval(this.requestedApprovals, this.#ports.now()),
        applying: this.applying,
        lastSuccess: this.#lastSuccess,
        lastRefresh: this.#lastRefresh && this.time.onWall(this.#lastRefresh),
        nextRefresh: this.#next && this.time.onWall(this.#next),
        dueBy: this.#next && this.#ports.clock.now() + this.#next - this.time.now() + 60_000,
      }),
    };
    this.#conditions = conditionsOf(facts, this.#conditions);
    this.#published = { ...facts, conditions: this.#conditions };
    this.#ports.publish(this.#published);
  }

  /** Whether the watch state could be read; if not, that is a failure. */
  async loadState(): Promise<boolean> {
    try {
      await this.kept.load((lost) => this.#ports.log('warn', 'watch-state', lost));
      this.failures.recovered('watch-state');
    } catch (error) {
      this.failures.record('watch-state', failureDetails(error));
    }
    return this.kept.isLoaded;
  }
}
