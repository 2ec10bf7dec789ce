import type { Exchange } from '../http/exchange.ts';
import type { Chance } from '../ids.ts';

/** Which requests a fault concerns: one by its number, that one and all after it, the n-th (0: each) of a method and family, or a share of all. */
export type FaultAddress =
  | { readonly request: number; readonly onwards: boolean }
  | { readonly method: string; readonly family: string; readonly nth: number }
  | { readonly share: number };

/** Reads `#7`, `#7+`, `POST:HTTPSEdge:2`, `GET:*:0` or `5%`. */
export function parseAddress(text: string): FaultAddress | undefined {
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
