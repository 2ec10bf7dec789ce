import { SluiceError } from '../../diagnostics/errors.ts';
import { chance } from '../ids.ts';
import type { Interceptor } from '../http/interceptor.ts';
import { addressed, parseAddress, type FaultAddress } from './fault-address.ts';
import { modes } from './modes.ts';

/** Something that goes wrong on the way, and with which requests. */
export interface Fault {
  readonly mode: string;
  /** The argument of the mode, such as a status. */
  readonly detail?: string;
  readonly at: FaultAddress;
}

/** Reads `mode[=detail]@address`: `reset-after@POST:HTTPSEdge:2`, `status-before=503@#7`, `cut=20@5%`. */
export function parseFault(text: string): Fault {
  const parts = /^([a-z-]+)(?:=([^@]*))?@(.+)$/.exec(text);
  const at = parseAddress(parts?.[3] ?? '');
  const [, mode = '', detail] = parts ?? [];
  if (at === undefined || !Object.hasOwn(modes, mode))
    throw new SluiceError('INVALID_FAULT', `invalid fault to inject: ${JSON.stringify(text)}`, {
      hint: `use mode[=detail]@address, such as reset-after@POST:*:1, status-before=503@#7 or stall-after@2%; modes: ${Object.keys(modes).join(', ')}`,
    });
  modes[mode]?.(detail);
  return { mode, at, ...(detail === undefined ? {} : { detail }) };
}

/** The fault as something to put around the service; a share of requests is drawn by the seed. */
export function faulty({ mode, detail, at }: Fault, seed: string | number = 0): Interceptor {
  const make = modes[mode];
  if (make === undefined) throw new SluiceError('INVALID_FAULT', `unknown fault mode: ${mode}`);
  const happening = make(detail);
  const concerns = addressed(at, chance(seed));
  if (typeof happening === 'function')
    return (exchange, next, world) => (concerns(exchange) ? happening(exchange, next, world) : next());
  const { happen, observe, meanwhile } = happening;
  return (exchange, next, world) => {
    const observed: typeof next = async (instead) => {
      const answer = await next(instead);
      observe(exchange, answer, world);
      return answer;
    };
    if (concerns(exchange)) return happen(exchange, observed, world);
    return meanwhile?.(exchange) ?? observed();
  };
}
