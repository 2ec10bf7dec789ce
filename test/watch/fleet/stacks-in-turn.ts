import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createEmulator, inProcessOrigin, type Emulator } from '../../../src/emulator/emulator.ts';
import { keptDocuments } from '../../../src/manifest/read/kept-documents.ts';
import { isEmptyPlan, type Plan } from '../../../src/model/plan/plan.ts';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { openBackend } from '../../../src/stack/open-backend.ts';
import { accountLimiters, accountLists, type AccountLists } from '../../../src/stack/service/account-limiters.ts';
import type { StackContext } from '../../../src/stack/stack-context.ts';
import { loadStack } from '../../../src/watch/load-stack.ts';
import { readWatchedStack } from '../../../src/watch/run-stack.ts';
import { settingTargets } from '../../../src/watch/restart-settings.ts';
import { directory } from '../../cli/terminal.ts';
import { handDriven, type HandDriven } from '../hand-driven.ts';

/** Stacks of one account that take their turns when a test asks. */
export interface StacksInTurn {
  readonly emulator: Emulator;
  readonly time: HandDriven;
  /** Another revision of the manifests of a stack. */
  readonly write: (stack: number, manifests: string) => void;
  /** Refreshes, plans, and applies what is planned. Answers what was planned; throws what a watch would retry. */
  readonly turn: (stack: number) => Promise<Plan>;
  /** What an account that is listed now would have planned. */
  readonly planned: (stack: number) => Promise<Plan>;
}

/** Loads so many stacks, each with these manifests, the way a fleet does. */
export async function stacksInTurn(
  manifests: readonly string[],
  {
    pageSize,
    lists: plant,
  }: { readonly pageSize?: number; readonly lists: (lists: AccountLists) => AccountLists | 'none' },
): Promise<StacksInTurn> {
  const time = handDriven(Date.UTC(2026, 2, 14, 12));
  const emulator = createEmulator({
    seed: 74,
    clock: () => new Date(time.now()),
    ...(pageSize === undefined ? {} : { pageSize }),
  });
  const dir = await directory(
    Object.fromEntries(
      manifests.flatMap((text, n) => [
        [`${n}/sluice.yaml`, stackFile(n)],
        [`${n}/all.yaml`, text],
      ]),
    ),
  );
  const lists = plant(accountLists(time.now));
  const limiters = accountLimiters(time.clock);
  const over = new AbortController();
  const env = { SLUICE_API_KEY: 'k3y', SLUICE_BASE_URL: inProcessOrigin };
  const alone = libraryContext({ dir, env, signal: over.signal });
  const io = { ...alone.io, clock: time.clock, now: time.now, network: emulator.dispatcher() };
  const fleet = lists === 'none' ? undefined : { limiters, lists };
  const contextOf = (n: number): StackContext => ({ ...alone, io, dir: join(dir, String(n)), isUnattended: true });

  const stacks = await Promise.all(
    manifests.map(async (_, n) => {
      const context = contextOf(n);
      const open = await readWatchedStack(context);
      const backend = await openBackend(context, open);
      const lock = await backend.acquireLock('watch');
      onTestFinished(async () => {
        await lock.release();
        await backend.close();
      });
      const atStart = { settings: open.settings, overridden: new Set<never>(), targets: settingTargets(open, context) };
      const options = { parallelism: 2, atStart, documents: keptDocuments(), lock: () => lock, backend };
      const refreshed = async (as: StackContext) => {
        const ignore = (): void => undefined;
        const { value } = await loadStack(as, open.dir, {
          ...options,
          metrics: { onRequest: ignore, onRetry: ignore },
        });
        return value.refresh(value.desired, over.signal, true);
      };
      return {
        turn: async () => {
          const found = await refreshed(fleet === undefined ? context : { ...context, fleet });
          try {
            if (!isEmptyPlan(found.plan))
              await found.apply({ plan: found.plan, isPart: false, approvals: [] }, over.signal, () => undefined);
            return found.plan;
          } finally {
            await found.close();
          }
        },
        planned: async () => {
          const found = await refreshed(context);
          await found.close();
          return found.plan;
        },
      };
    }),
  );
  const stack = (n: number): (typeof stacks)[number] => {
    const found = stacks[n];
    if (found === undefined) throw new Error(`there is no stack ${n}`);
    return found;
  };
  return {
    emulator,
    time,
    write: (n, text) => writeFileSync(join(dir, String(n), 'all.yaml'), text),
    turn: (n) => stack(n).turn(),
    planned: (n) => stack(n).planned(),
  };
}

const stackFile = (n: number): string => `version: 1
stack: {name: s${n}, id: a${String(n).padStart(7, '0')}}
manifests: [all.yaml]
watch: {interval: 60s, prune: true}
policy: {max_deletes: 100%}
`;
