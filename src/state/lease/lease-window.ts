import { longestSince, type Instant, type LeaseTime } from './lease-time.ts';
import { outageMs, windowMs, type LeaseTiming } from './lease-timing.ts';

const slots = { monotonic: 0, wall: 1, lost: 2, sign: 3 } as const;

// A main thread that computes for a minute comes back, and one that hangs does not hold a lease for ever.
const mostSilentMs = 300_000;

/** How many bytes the threads of a run share for a window. */
export const windowBytes = 8 * Object.keys(slots).length;

/** When the last confirmed heartbeat was sent, shared by the thread that sends heartbeats and the one that writes. */
export class LeaseWindow {
  readonly #slots: BigInt64Array;
  readonly #timing: LeaseTiming;
  readonly #time: Pick<LeaseTime, 'now'>;

  constructor(timing: LeaseTiming, time: Pick<LeaseTime, 'now'>, shared: SharedArrayBuffer | ArrayBuffer) {
    this.#timing = timing;
    this.#time = time;
    this.#slots = new BigInt64Array(shared);
  }

  /** A heartbeat that was sent at this time has arrived. */
  confirm({ monotonic, wall }: Instant): void {
    // Read half way, an old and a new time together count as the old one.
    Atomics.store(this.#slots, slots.monotonic, micros(monotonic));
    Atomics.store(this.#slots, slots.wall, micros(wall));
  }

  lose(): void {
    Atomics.store(this.#slots, slots.lost, 1n);
  }

  /** `open`: a write may start. `closed`: not until the next confirmed heartbeat. `over`: the outage is too long. `lost`: another run has the lease. */
  get state(): 'open' | 'closed' | 'over' | 'lost' {
    if (Atomics.load(this.#slots, slots.lost) !== 0n) return 'lost';
    const elapsed = this.quietMs;
    if (elapsed < windowMs(this.#timing)) return 'open';
    return elapsed < this.outageMs ? 'closed' : 'over';
  }

  /** How long ago the last confirmed heartbeat was sent. */
  get quietMs(): number {
    const confirmed = {
      monotonic: millis(Atomics.load(this.#slots, slots.monotonic)),
      wall: millis(Atomics.load(this.#slots, slots.wall)),
    };
    return longestSince(confirmed, this.#time.now());
  }

  get outageMs(): number {
    return outageMs(this.#timing);
  }

  /** The main thread is still at work. */
  sign(): void {
    Atomics.store(this.#slots, slots.sign, micros(this.#time.now().monotonic));
  }

  /** Whether the main thread has given no sign for so long that it does not come back. */
  get isAbandoned(): boolean {
    return this.#time.now().monotonic - millis(Atomics.load(this.#slots, slots.sign)) > mostSilentMs;
  }
}

function micros(ms: number): bigint {
  return BigInt(Math.floor(ms * 1_000));
}

function millis(value: bigint): number {
  return Number(value) / 1_000;
}
