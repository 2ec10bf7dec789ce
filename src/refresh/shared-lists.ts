import type { Kind } from '../kinds/kind.ts';
import type { AccountSource, ResourceFamily } from './account-source.ts';

/** The lists of one account, shared by the stacks of a process. */
export interface SharedLists {
  readonly of: (stack: string) => StackLists;
  /** Drops lists that are too old. */
  readonly dropOld: () => void;
  /** Drops a stack; returns whether others are left. */
  readonly forget: (stack: string) => boolean;
}

/** The same lists, for one of the stacks. */
export interface StackLists {
  /** The source from which one refresh reads the account. */
  readonly source: (own: AccountSource, terms: ListTerms) => SharingSource;
  /** Sends a write. A list that was read before the write ends is not used again. */
  readonly duringWrite: <T>(write: () => Promise<T>) => Promise<T>;
}

/** Which lists a refresh may use. */
export interface ListTerms {
  /** The maximum age of a list since its first request, in milliseconds. */
  readonly validMs: number;
  /** Whether lists of other refreshes may be used. */
  readonly mayReuse: boolean;
  readonly signal: AbortSignal;
}

/** The source of one refresh: other refreshes may use the lists that it reads. */
export interface SharingSource extends AccountSource {
  /** Whether it has used a list of another refresh. */
  readonly hasReused: () => boolean;
}

interface HeldList {
  readonly begunAt: number;
  readonly validMs: number;
  /** How many writes had begun before it. */
  readonly writesBefore: number;
  readonly families: Promise<readonly ResourceFamily[]>;
}

/**
 * Makes shared lists; `now` is the wall clock in milliseconds, which also advances while the machine is suspended. A list
 * that fails is not shared, nor is one during which this process writes. After a write, a stack reads its own lists once,
 * so that it sees the outcome of the write.
 */
export function sharedLists(now: () => number): SharedLists {
  // By kind: the list that was started last, even if it is still being read.
  const held = new Map<string, HeldList>();
  const stacks = new Set<string>();
  const wrote = new Set<string>();
  const writes = { begun: 0, ended: 0 };

  function validList(kind: Kind, validMs: number): HeldList | undefined {
    const list = held.get(kind.name);
    const age = list === undefined ? Number.NaN : now() - list.begunAt;
    return age >= 0 && age < validMs ? list : undefined;
  }

  async function listed(kind: Kind, own: AccountSource, validMs: number): Promise<readonly ResourceFamily[]> {
    const list = { begunAt: now(), validMs, writesBefore: writes.begun, families: allOf(own.list(kind)) };
    if (writes.ended === writes.begun) held.set(kind.name, list);
    try {
      return await list.families;
    } catch (error) {
      drop(kind, list);
      throw error;
    } finally {
      // With a single stack there is nothing to share.
      if (stacks.size < 2) drop(kind, list);
    }
  }

  function drop(kind: Kind, list: HeldList): void {
    if (held.get(kind.name) === list) held.delete(kind.name);
  }

  /** A whole list: of another refresh, finished or still running, or else read here. There is no await before the list is stored, so that two refreshes do not both read it. */
  async function read(
    kind: Kind,
    own: AccountSource,
    terms: ListTerms,
  ): Promise<{ readonly families: readonly ResourceFamily[]; readonly isReused: boolean }> {
    const list = terms.mayReuse ? validList(kind, terms.validMs) : undefined;
    if (list === undefined) return { families: await listed(kind, own, terms.validMs), isReused: false };
    const families = await unlessAborted(list.families, terms.signal);
    if (families !== undefined && list.writesBefore === writes.begun) return { families, isReused: true };
    drop(kind, list);
    return read(kind, own, terms);
  }

  return {
    of: (stack) => {
      stacks.add(stack);
      return {
        source: (own, terms) => {
          const mayReuse = terms.mayReuse && !wrote.has(stack);
          let hasReused = false;
          return {
            ...own,
            hasReused: () => hasReused,
            async *list(kind) {
              const { families, isReused } = await read(kind, own, { ...terms, mayReuse });
              hasReused ||= isReused;
              if (!mayReuse) wrote.delete(stack);
              yield* families;
            },
          };
        },
        duringWrite: async (write) => {
          writes.begun += 1;
          wrote.add(stack);
          held.clear();
          try {
            return await write();
          } finally {
            writes.ended += 1;
          }
        },
      };
    },
    dropOld: () => {
      for (const [kind, { begunAt, validMs }] of held) if (now() - begunAt >= validMs) held.delete(kind);
    },
    forget: (stack) => {
      stacks.delete(stack);
      wrote.delete(stack);
      return stacks.size > 0;
    },
  };
}

async function allOf(list: ReturnType<AccountSource['list']>): Promise<readonly ResourceFamily[]> {
  const families: ResourceFamily[] = [];
  for await (const family of list) families.push(family);
  return families;
}

/** The list of another refresh; undefined if it failed. Rejects once the signal aborts. */
async function unlessAborted(
  list: HeldList['families'],
  signal: AbortSignal,
): Promise<Awaited<typeof list> | undefined> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    void list
      .catch(() => undefined)
      .then(resolve)
      .finally(() => signal.removeEventListener('abort', leave));
  });
}
