import type { Clock } from '../../api/clock.ts';
import { createLimiter, type Limiter } from '../../api/rate/limiter.ts';
import { parseRate, type Rate } from '../../api/rate/rate.ts';
import type { RateFinding } from '../../api/rate/rate-finding.ts';
import { accountDigest, type AccountAccess } from './account-digest.ts';

/** Who sends requests to which account, and how fast it may. */
export interface LimitedAccount extends AccountAccess {
  /** The directory of the stack. */
  readonly stack: string;
  /** As in `api.rate_limit`. */
  readonly rateLimit: string | undefined;
}

/** The request rates of all accounts of a process. */
export interface AccountLimiters {
  /** The limiter that all stacks of an account share. */
  readonly of: (account: LimitedAccount, onFinding: (finding: RateFinding) => void) => Limiter;
  /** Drops what a stack said about the rate. */
  readonly forget: (stack: string) => void;
}

interface SharedLimiter {
  readonly limits: Map<string, string | undefined>;
  strictest: string | undefined;
  /** Of what the limits allow, how much is for this process: from 0 to 1. */
  share: number;
  limiter: Limiter;
}

/**
 * Makes them. Of several `api.rate_limit` for one account the strictest
 * is kept, so that no stack sends more than another allows. Where other replicas have some of an account's stacks, of which
 * there are `total`, this one takes its share of the rate.
 */
export function accountLimiters(clock: Clock, total?: (stack: string) => number): AccountLimiters {
  const accounts = new Map<string, SharedLimiter>();
  return {
    of: ({ baseUrl, key, stack, rateLimit }, onFinding) => {
      const account = accountDigest({ baseUrl, key });
      const make = (limit: string | undefined, share: number): Limiter =>
        createLimiter(limit === undefined ? undefined : shareOf(parseRate(limit), share), clock, onFinding);
      const shareOfAll = (own: number): number => Math.min(1, own / Math.max(1, total?.(stack) ?? own));
      const known = accounts.get(account);
      if (known === undefined) {
        const share = shareOfAll(1);
        const limiter = make(rateLimit, share);
        accounts.set(account, { limits: new Map([[stack, rateLimit]]), strictest: rateLimit, share, limiter });
        return limiter;
      }
      known.limits.set(stack, rateLimit);
      const strictest = strictestOf([...known.limits.values()]);
      const share = shareOfAll(known.limits.size);
      if (strictest !== known.strictest || (strictest !== undefined && share !== known.share)) {
        [known.strictest, known.share] = [strictest, share];
        known.limiter = make(strictest, share);
      }
      return known.limiter;
    },
    forget: (stack) => {
      for (const [account, { limits }] of accounts) {
        limits.delete(stack);
        if (limits.size === 0) accounts.delete(account);
      }
    },
  };
}

function shareOf(rate: Rate | undefined, share: number): Rate | undefined {
  return rate && { ...rate, requests: Math.max(1, Math.floor(rate.requests * share)) };
}

/** The limit with the fewest requests in a time; undefined: none is given. */
function strictestOf(limits: readonly (string | undefined)[]): string | undefined {
  const perSecond = (limit: string): number => {
    const rate = parseRate(limit);
    return rate === undefined ? Number.POSITIVE_INFINITY : rate.requests / rate.perMs;
  };
  return limits
    .filter((limit) => limit !== undefined)
    .reduce<string | undefined>((a, b) => (a !== undefined && perSecond(a) <= perSecond(b) ? a : b), undefined);
}
