import type { Emulator } from '../emulator.ts';
import { faulty, parseFault } from '../faults/fault.ts';
import { throughAll, type Interceptor } from '../http/interceptor.ts';

/** The faults that are set, as they were written. */
export interface FaultBoard {
  readonly set: () => readonly string[];
  /** Replaces all faults; an invalid fault changes nothing. Later faults wrap earlier ones. */
  readonly replace: (faults: readonly string[]) => void;
}

/** Makes a board for an emulator, put around what is there already; shares of requests are drawn by the seed. */
export function faultBoard(emulator: Emulator, seed: string | number = 0): FaultBoard {
  let set: readonly string[] = [];
  let interceptors: readonly Interceptor[] = [];
  emulator.intercept((exchange, next, world) => throughAll(interceptors, next, exchange, world));
  return {
    set: () => set,
    replace: (faults) => {
      const parsed = faults.map(parseFault);
      interceptors = parsed.map((fault) => faulty(fault, seed));
      set = [...faults];
    },
  };
}
