import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange } from '../../src/emulator/http/exchange.ts';
import { addressed, faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { chance } from '../../src/emulator/ids.ts';
import type { Interceptor } from '../../src/emulator/http/interceptor.ts';
import { drawFor } from './draw.ts';

// In percent; with what is only slow, one request in ten.
const shares: Readonly<Record<string, number>> = {
  'status-before=500': 0.6,
  'status-before=502': 0.5,
  'status-before=503': 0.6,
  'status-before=504': 0.5,
  'status-before=401': 0.1,
  'status-before=404': 0.2,
  'status-before=409': 0.3,
  'status-after=500': 0.6,
  'status-after=503': 0.6,
  'rate-limited=1': 0.6,
  'reset-before': 0.7,
  'reset-after': 0.8,
  'stale-keep-alive': 0.5,
  'cut=20': 0.5,
  'cut-unpromised=20': 0.4,
  empty: 0.3,
  html: 0.3,
  'malformed-json': 0.3,
  'wrong-types': 0.2,
  'item-skipped': 0.3,
  'list-lag=2': 0.2,
  'executed-twice': 0.2,
  'late-commit=700': 0.2,
};
const slow = 0.5;
const stalled = 0.02;

/** What goes wrong on the way of one request in ten, as a seed draws it, until it is stopped. */
export interface Faults {
  readonly interceptors: readonly Interceptor[];
  readonly stop: () => void;
  readonly count: () => number;
}

/** The faults of a soak; some clients are spared. Stalls last until the client gives up, so a short soak has none. */
export function soakFaults(seed: number, isSpared: (exchange: Exchange) => boolean, withStalls: boolean): Faults {
  let isOn = true;
  let count = 0;
  const modes = [
    ...Object.entries(shares).map(([mode, share]) => `${mode}@${share}%`),
    ...(withStalls ? [`stall-before@${stalled}%`, `stall-after@${stalled}%`] : []),
  ];
  const faults = modes.map((text, at): Interceptor => {
    const fault = parseFault(text);
    const happens = faulty(fault, `${seed}/${at}`);
    // The same draws once more, to be counted.
    const isMeant = addressed(fault.at, chance(`${seed}/${at}`));
    return (exchange, next, world) => {
      if (isMeant(exchange)) count += 1;
      return happens(exchange, next, world);
    };
  });
  const draw = drawFor(seed, 7);
  const slowly: Interceptor = async (_, next) => {
    if (draw.happens(slow / 100)) {
      count += 1;
      await wait(draw.within(500, 3_000));
    }
    return next();
  };
  return {
    interceptors: [...faults, slowly].map(
      (fault): Interceptor =>
        (exchange, next, world) =>
          isOn && !isSpared(exchange) ? fault(exchange, next, world) : next(),
    ),
    stop: () => void (isOn = false),
    count: () => count,
  };
}
