import type { SpecObject } from '../../kinds/value.ts';

interface Circuit {
  /** Responses and errors among them, by the time at which their bucket begins. */
  readonly buckets: Map<number, { all: number; errors: number }>;
  /** Until then no request reaches the backend; the first response afterwards decides how it goes on. */
  openUntil?: number;
}

/** The circuits of routes: how many responses of a backend were errors of late. */
export class CircuitBreakers {
  readonly #circuits = new Map<string, Circuit>();

  /** Whether the circuit of a route is open. */
  isTripped(route: string, now: Date): boolean {
    return now.getTime() < (this.#circuits.get(route)?.openUntil ?? 0);
  }

  /** Counts a response of the backend, and opens the circuit above the thresholds. What is left out has the usual value. */
  record(route: string, settings: SpecObject, now: Date, isError: boolean): void {
    const time = now.getTime();
    const circuit: Circuit = this.#circuits.get(route) ?? { buckets: new Map() };
    this.#circuits.set(route, circuit);
    const tripped = time + 1000 * numberIn(settings['tripped_duration'], 10);
    if (circuit.openUntil !== undefined) {
      if (isError) circuit.openUntil = tripped;
      else this.#circuits.delete(route);
      return;
    }
    const window = 1000 * numberIn(settings['rolling_window'], 10);
    const width = window / numberIn(settings['num_buckets'], 10);
    const begins = Math.floor(time / width) * width;
    for (const at of circuit.buckets.keys()) if (at <= begins - window) circuit.buckets.delete(at);
    const bucket = circuit.buckets.get(begins) ?? { all: 0, errors: 0 };
    circuit.buckets.set(begins, { all: bucket.all + 1, errors: bucket.errors + (isError ? 1 : 0) });
    const [all, errors] = [...circuit.buckets.values()].reduce(([a, b], one) => [a + one.all, b + one.errors], [0, 0]);
    const share = numberIn(settings['error_threshold_percentage'], 0.5);
    if (errors > 0 && all >= numberIn(settings['volume_threshold'], 20) && errors / all >= share)
      circuit.openUntil = tripped;
  }
}

function numberIn(value: unknown, usual: number): number {
  return typeof value === 'number' ? value : usual;
}
