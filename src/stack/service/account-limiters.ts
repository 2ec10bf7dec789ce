import { hash } from 'node:crypto';
import { baseUrl } from '../../api/base-url.ts';
import type { Clock } from '../../api/clock.ts';
import { createLimiter, type Limiter } from '../../api/rate/limiter.ts';
import { type RateFinding, parseRate } from '../../api/rate/rate.ts';
import { type SharedLists, type StackLists, sharedLists } from '../../refresh/shared-lists.ts';
import { embeddedUrl } from './connection.ts';

/** Who sends requests to which account, and how fast it may. */
export interface LimitedAccount extends AccountAccess {
  /** The directory of the stack, or the one that the command runs in. */
  readonly stack: string;
  readonly rateLimit: string | undefined;
}

/** The request rates of all accounts of a process. */
export interface AccountLimiters {
  /** The limiter that all stacks of an account share. */
  readonly of: (account: LimitedAccount, onFinding: (finding: RateFinding) => void) => Limiter;
  /** Drops the rate that a stack has set. */
  readonly forget: (stack: string) => void;
}

interface SharedLimiter {
  readonly limits: Map<string, string | undefined>;
  readonly strictest: string | undefined;
  readonly limiter: Limiter;
}

/**
 * Makes them. Of several `api.rate_limit` for one account the strictest is kept, so that no stack sends more than another
 * allows. Where other replicas have some of an account's stacks, this one takes a share of the rate, as it is at each
 * request. All stacks of an account have one limiter, so that those which begin one after the other do not each add to it.
 */
export function accountLimiters(clock: Clock, shareOfStack?: (stack: string) => number): AccountLimiters {
  const accounts = new Map<string, SharedLimiter>();
  return {
    of: ({ baseUrl, key, stack, rateLimit }, onFinding) => {
      const account = accountDigest({ baseUrl, key });
      const known = accounts.get(account);
      const limits = known?.limits ?? new Map<string, string | undefined>();
      limits.set(stack, rateLimit);
      const strictest = strictestOf([...limits.values()]);
      if (known !== undefined && strictest === known.strictest) return known.limiter;
      const rate = strictest === undefined ? undefined : parseRate(strictest);
      // The stack that has called may be gone.
      const share = (): number => shareOfStack?.([...limits.keys()][0] ?? stack) ?? 1;
      const limiter = createLimiter(
        rate && (() => ({ ...rate, requests: Math.max(1, Math.floor(rate.requests * share())) })),
        clock,
        onFinding,
        share,
      );
      accounts.set(account, { limits, strictest, limiter });
      return limiter;
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

/** What an account is reached by. */
export interface AccountAccess {
  readonly baseUrl: string;
  readonly key: string;
}

/** Identifies accounts without keeping their keys: an account is an address of the service and a key. */
export function accountDigest({ baseUrl: text, key }: AccountAccess): string {
  const { origin, prefix } = baseUrl(text);
  return hash('sha256', `${origin}${prefix}\n${key}`, 'base64');
}

/** The lists of all accounts of a process. */
export interface AccountLists {
  /** The lists that all stacks of an account share; undefined where each stack has an account of its own. */
  readonly of: (account: AccountAccess & { readonly stack: string }) => StackLists | undefined;
  readonly forget: (stack: string) => void;
}

/** Makes them: for each address and key its own, as different keys may see different resources. */
export function accountLists(now: () => number): AccountLists {
  const accounts = new Map<string, SharedLists>();
  return {
    of: ({ baseUrl, key, stack }) => {
      if (baseUrl === embeddedUrl) return undefined;
      for (const lists of accounts.values()) lists.dropOld();
      const account = accountDigest({ baseUrl, key });
      const lists = accounts.get(account) ?? sharedLists(now);
      accounts.set(account, lists);
      return lists.of(stack);
    },
    forget: (stack) => {
      for (const [account, lists] of accounts) if (!lists.forget(stack)) accounts.delete(account);
    },
  };
}
