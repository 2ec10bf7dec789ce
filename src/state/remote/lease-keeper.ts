import { leaseBytes, type LeaseRecord } from './lease-record.ts';
import { longestSince, type LeaseTime } from '../lease/lease-time.ts';
import type { LeaseTiming } from '../lease/lease-timing.ts';
import type { LeaseWindow } from '../lease/lease-window.ts';
import { refusalIn, type HeartbeatRefusal } from './heartbeat-refusal.ts';
import { objectNames, type RemoteStore } from './remote-store.ts';
import { pendingSwap, type PendingSwap, type SettledSwap } from './settled-swap.ts';
import type { TakenLease } from './take-lease.ts';

/** Facts about the state in a lease; they are written with the next heartbeat. */
export type LeaseFacts = Partial<Pick<LeaseRecord, 'state' | 'folded_through' | 'moved'>>;

/** What keeping a lease needs. */
export interface LeaseKeeperOptions {
  readonly store: RemoteStore;
  readonly taken: TakenLease;
  readonly timing: LeaseTiming;
  readonly time: LeaseTime;
  readonly window: LeaseWindow;
  readonly onRefused: (refusal: HeartbeatRefusal) => void;
}

/** Sends the heartbeats of a lease, and gives it back. One at a time writes it. */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #over = new AbortController();
  #record: LeaseRecord;
  #version: string;
  #sentAt: TakenLease['sentAt'];
  #ended: Promise<void> = Promise.resolve();
  /** A heartbeat whose result is not known: another one would not fit what the store holds. */
  #pending: PendingSwap | undefined;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    const { record, version, sentAt } = options.taken;
    this.#record = record;
    this.#version = version;
    this.#sentAt = sentAt;
    options.window.sign();
    options.window.confirm(sentAt);
  }

  /** Begins to send heartbeats. */
  start(): void {
    this.#ended = this.#run().catch(() => undefined);
  }

  note(facts: LeaseFacts): void {
    this.#record = { ...this.#record, ...facts };
  }

  /** Ends the heartbeats and gives the lease back. If that fails, the lease expires. */
  async release(): Promise<void> {
    const { window, time, timing } = this.#options;
    this.#over.abort();
    await this.#ended;
    if (window.state === 'lost') return;
    const began = time.now();
    const mayGoOn = (): boolean => longestSince(began, time.now()) < timing.storeDeadlineMs;
    await this.#giveBack(mayGoOn).catch(() => undefined);
    window.lose();
  }

  async #giveBack(mayGoOn: () => boolean): Promise<void> {
    if (this.#pending !== undefined && (await this.#finishSwap(mayGoOn)) === undefined) return;
    this.#begin({ ...this.#record, token: null, owner: null });
    await this.#finishSwap(mayGoOn);
  }

  async #run(): Promise<void> {
    const { time, timing, window } = this.#options;
    const { signal } = this.#over;
    while (!signal.aborted && window.state !== 'lost') {
      const due = timing.heartbeatMs - longestSince(this.#sentAt, time.now());
      if (due > 0) await time.sleep(due, signal);
      if (window.isAbandoned) return;
      await this.#sendHeartbeat();
    }
  }

  async #sendHeartbeat(): Promise<void> {
    const { window, time, timing, onRefused } = this.#options;
    const { signal } = this.#over;
    if (this.#pending === undefined) {
      this.#record = { ...this.#record, heartbeat: this.#record.heartbeat + 1 };
      this.#begin(this.#record);
    }
    try {
      const swapped = await this.#finishSwap(() => !signal.aborted && window.state !== 'over');
      if (swapped === undefined) return;
      this.#sentAt = swapped.sentAt;
      window.confirm(swapped.sentAt);
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal !== undefined) onRefused(refusal);
      if (window.state === 'over') throw error;
      // What is refused now, as credentials are, may be accepted again in time.
      await time.sleep(timing.heartbeatMs / 4, signal);
    }
  }

  #begin(record: LeaseRecord): void {
    const wanted = { name: objectNames.lease, expected: this.#version, bytes: leaseBytes(record) };
    this.#pending = pendingSwap(this.#options.store, wanted);
  }

  async #finishSwap(mayGoOn: () => boolean): Promise<SettledSwap | undefined> {
    const { time, window } = this.#options;
    const swapped = await this.#pending?.({ time, mayGoOn });
    this.#pending = undefined;
    // Whatever is there now, nothing included, is not ours; a lease that is gone is never made again.
    if (swapped === undefined) window.lose();
    else this.#version = swapped.version;
    return swapped;
  }
}
