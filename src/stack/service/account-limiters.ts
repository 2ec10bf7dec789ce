import type { Clock } from '../../api/clock.ts';
import { createLimiter, type Limiter } from '../../api/rate/limiter.ts';
import { parseRate } from '../../api/rate/rate.ts';
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
  limiter: Limiter;
}

/**
 * Makes them. Of several `api.rate_limit` for one account the strictest
 * is kept, so that no stack sends more than another allows.
 */
export function accountLimiters(clock: Clock): AccountLimiters {
  const accounts = new Map<string, SharedLimiter>();
  return {
    of: ({ baseUrl, key, stack, rateLimit }, onFinding) => {
      const account = accountDigest({ baseUrl, key });
      const make = (limit: string | undefined): Limiter =>
        createLimiter(limit === undefined ? undefined : parseRate(limit), clock, onFinding);
      const known = accounts.get(account);
      if (known === undefined) {
        const limiter = make(rateLimit);
        accounts.set(account, { limits: new Map([[stack, rateLimit]]), strictest: rateLimit, limiter });
        return limiter;
      }
      known.limits.set(stack, rateLimit);
      const strictest = strictestOf([...known.limits.values()]);
      if (strictest !== known.strictest) {
        known.strictest = strictest;
        known.limiter = make(strictest);
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
