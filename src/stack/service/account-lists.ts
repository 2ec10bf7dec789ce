import { sharedLists, type SharedLists, type StackLists } from '../../refresh/shared-lists.ts';
import { accountDigest, type AccountAccess } from './account-limiters.ts';
import { embeddedUrl } from './connection.ts';

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
