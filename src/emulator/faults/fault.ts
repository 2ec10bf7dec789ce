import { SluiceError } from '../../diagnostics/errors.ts';
import { chance as chanceOf, type Chance } from '../ids.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Interceptor } from '../http/interceptor.ts';
import type { Answer } from '../answer.ts';
import type { EmulatorWorld } from '../world.ts';
import { actorFaults } from './actor-faults.ts';
import { bodyFaults } from './body-faults.ts';
import { commitFaults } from './commit-faults.ts';
import { listFaults } from './list-faults.ts';
import { statusFaults } from './status-faults.ts';
import { transportFaults } from './transport-faults.ts';

/** Creates the behaviour of a mode from its detail. */
export type Mode = (detail: string | undefined) => Happening;

/** What happens to the requests that a fault concerns; some have to see the others as well. */
type Happening =
  | Interceptor
  | {
      readonly happen: Interceptor;
      /** Called with every answer of the service, also to requests that the fault does not concern. */
      readonly observe: (exchange: Exchange, answer: Answer, world: EmulatorWorld) => void;
      /** Answers instead of the service also where the fault does not concern a request. */
      readonly meanwhile?: (exchange: Exchange) => Answer | undefined;
    };

/** Every way a request can go wrong, by its name. */
export const modes: Readonly<Record<string, Mode>> = {
  ...transportFaults,
  ...statusFaults,
  ...bodyFaults,
  ...listFaults,
  ...commitFaults,
  ...actorFaults,
};

/** Which requests a fault concerns: one by its number, that one and all after it, the n-th (0: each) of a method and family, or a share of all. */
type FaultAddress =
  | { readonly request: number; readonly onwards: boolean }
  | { readonly method: string; readonly family: string; readonly nth: number }
  | { readonly share: number };

/** Something that goes wrong on the way, and with which requests. */
export interface Fault {
  readonly mode: string;
  /** The argument of the mode, such as a status. */
  readonly detail?: string;
  readonly at: FaultAddress;
}

/** Reads `mode[=detail]@requests`: `reset-after@POST:HTTPSEdge:2`, `status-before=503@#7`, `cut=20@5%`. */
export function parseFault(text: string): Fault {
  const parts = /^([a-z-]+)(?:=([^@]*))?@(.+)$/.exec(text);
  const at = parseAddress(parts?.[3] ?? '');
  const [, mode = '', detail] = parts ?? [];
  if (at === undefined || !Object.hasOwn(modes, mode))
    throw new SluiceError('INVALID_FAULT', `invalid fault to inject: ${JSON.stringify(text)}`, {
      hint: `use mode[=detail]@requests, such as reset-after@POST:*:1 (the first POST of any resource type), status-before=503@#7 or stall-after@2%; modes: ${Object.keys(modes).join(', ')}`,
    });
  modes[mode]?.(detail);
  return { mode, at, ...(detail === undefined ? {} : { detail }) };
}

/** The fault as something to put around the service; a share of requests is drawn by the seed. */
export function faulty({ mode, detail, at }: Fault, seed: string | number = 0): Interceptor {
  const make = modes[mode];
  if (make === undefined) throw new SluiceError('INVALID_FAULT', `unknown fault mode: ${mode}`);
  const happening = make(detail);
  const concerns = addressed(at, chanceOf(seed));
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

/** Reads `#7`, `#7+`, `POST:HTTPSEdge:2`, `GET:*:0` or `5%`. */
function parseAddress(text: string): FaultAddress | undefined {
  const number = /^#(\d+)(\+?)$/.exec(text);
  if (number !== null) return { request: Number(number[1]), onwards: number[2] === '+' };
  const share = /^(\d+(?:\.\d+)?)%$/.exec(text);
  if (share !== null) return { share: Number(share[1]) / 100 };
  const nth = /^([A-Z]+|\*):(\w+|\*):(\d+)$/.exec(text);
  if (nth === null) return undefined;
  return { method: nth[1] ?? '*', family: nth[2] ?? '*', nth: Number(nth[3]) };
}

/** Returns for each request whether the fault applies; each call counts one request. */
export function addressed(address: FaultAddress, chance: Chance): (exchange: Exchange) => boolean {
  if ('request' in address) return ({ n }) => n === address.request || (address.onwards && n > address.request);
  if ('share' in address) return ({ n }) => chance.number(1_000_000, 'fault', String(n)) < address.share * 1_000_000;
  let seen = 0;
  return ({ method, found }) => {
    const meant =
      (address.method === '*' || address.method === method) &&
      (address.family === '*' || address.family === found?.target.family.name);
    if (meant) seen += 1;
    return meant && (address.nth === 0 || address.nth === seen);
  };
}
