import { again, pause } from './pause.ts';
import type { Life } from './replica.ts';

/** What was seen of processes from outside, every second. */
export interface Observed {
  /** Resident memory by key, in bytes, in order. */
  readonly memory: ReadonlyMap<string, readonly number[]>;
  /** Every time that one said it hangs, or did not answer although it ran. */
  readonly unwell: readonly string[];
  readonly probes: () => number;
  /** Resolves once the signal has aborted. */
  readonly over: Promise<unknown>;
}

// A machine under load is slow, not wrong.
const patienceMs = 60_000;

/** Looks after processes until the signal aborts. */
export function observe(lives: () => readonly Life[], signal: AbortSignal): Observed {
  const memory = new Map<string, number[]>();
  const unwell: string[] = [];
  let probes = 0;
  const over = again(signal, async () => {
    const running = lives().filter((life) => !life.isOver());
    for (const life of running) {
      const bytes = life.memory();
      const samples = memory.get(life.key) ?? [];
      if (bytes !== undefined) samples.push(bytes);
      memory.set(life.key, samples);
    }
    await Promise.all([pause(1_000, signal), ...running.filter(isUndisturbed).map(probe)]);
  });

  async function probe(life: Life): Promise<void> {
    const url = life.url();
    if (url === undefined) return;
    const signalsBefore = life.signals.length;
    try {
      const answer = await fetch(`${url}/healthz`, {
        // A connection that is kept may end just when it is used again.
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(patienceMs),
      });
      const text = await answer.text();
      probes += 1;
      // One that is stopped with half a request read answers 408 when it goes on.
      const wasLeftAlone = life.signals.length === signalsBefore;
      if (!answer.ok && wasLeftAlone) unwell.push(`${life.key}: ${String(answer.status)} ${text.trim()}`);
    } catch (error) {
      if (isUndisturbed(life) && !life.isOver()) unwell.push(`${life.key}: ${String(error)}`);
    }
  }

  return { memory, unwell, probes: () => probes, over };
}

/** Nothing but a stop that is over was ever sent to it. */
function isUndisturbed({ signals }: Life): boolean {
  return signals.length === 0 || signals.at(-1) === 'SIGCONT';
}

/** Middle values of the second and the last quarter. */
export function quarters(samples: readonly number[]): { readonly second: number; readonly last: number } {
  const at = (share: number): number => Math.floor(samples.length * share);
  return { second: median(samples.slice(at(0.25), at(0.5))), last: median(samples.slice(at(0.75))) };
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
