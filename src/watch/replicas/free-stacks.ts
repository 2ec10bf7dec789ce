import { shortestSince, type Instant } from '../../state/lease/lease-time.ts';
import type { ReplicaClaims } from './divide-stacks.ts';

/** Since when nobody has a stack, as far as this replica has seen. */
export interface FreeStacks {
  readonly note: (stacks: readonly string[], claims: Iterable<ReplicaClaims>) => void;
  readonly ms: (stack: string) => number;
}

/** Begins with none. */
export function createFreeStacks(now: () => Instant): FreeStacks {
  const since = new Map<string, Instant>();
  return {
    note: (stacks, claims) => {
      const claimed = new Set([...claims].flatMap(({ holds, awaits }) => [...holds, ...awaits]));
      const free = new Set(stacks.filter((stack) => !claimed.has(stack)));
      for (const stack of since.keys()) if (!free.has(stack)) since.delete(stack);
      for (const stack of free) if (!since.has(stack)) since.set(stack, now());
    },
    ms: (stack) => {
      const at = since.get(stack);
      return at === undefined ? 0 : shortestSince(at, now());
    },
  };
}
