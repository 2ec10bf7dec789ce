import { applyPlan } from '../../src/apply/apply.ts';
import { createClient, type Client } from '../../src/api/client.ts';
import type { Clock } from '../../src/api/clock.ts';
import { createLimiter } from '../../src/api/rate/limiter.ts';
import { readOnly } from '../../src/api/while-allowed.ts';
import { createRetry } from '../../src/api/retry.ts';
import type { Emulator } from '../../src/emulator/emulator.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Profile } from '../../src/kinds/kind.ts';
import { type Account, seenIds } from '../../src/model/actual.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { hazardCodes, type Plan } from '../../src/model/plan/plan.ts';
import type { DesiredStack } from '../../src/model/resource.ts';
import type { State } from '../../src/model/state.ts';
import { refresh } from '../../src/refresh/refresh.ts';
import { serviceSource } from '../../src/refresh/service-source.ts';
import { allowedRule } from '../../src/plan/access-policy/plan-rules.ts';
import { planStack } from '../../src/plan/plan.ts';
import { createHash } from 'node:crypto';
import { emptyState } from '../../src/state/store.ts';
import { savingWholeStates } from '../support/saving-whole-states.ts';
import type { Chance } from './chance.ts';
import { accessRules } from './proved-rules.ts';
import type { Road } from './road.ts';

/** A bug put in on purpose: something that stands in the place of a part of sluice. */
export interface Planted {
  readonly reader?: (client: Client) => Client;
  readonly writer?: (client: Client) => Client;
  readonly account?: (account: Account, state: State | undefined) => Account;
  readonly plan?: (plan: Plan) => Plan;
  /** `tear` leaves a file on the disk that is neither the old one nor the new one. */
  readonly save?: (save: (state: State) => Promise<void>, tear: () => void) => (state: State) => Promise<void>;
}

/** What a run happens in. */
export interface Surroundings {
  readonly emulator: Emulator;
  /** The way there, if not inside the process. */
  readonly road?: Pick<Road, 'baseUrl' | 'dispatcher'>;
  readonly profile: Profile;
  readonly key: string;
  readonly clock: Clock;
  readonly chance: Chance;
  /** What is remembered between runs. */
  readonly memory: { state: State | undefined; saves: number; isTorn?: boolean };
  readonly planted: Planted;
  /** Ends the run where it stands, as a dying process would. */
  readonly death?: AbortSignal;
}

/** How a run ended: with an outcome, or with an error before there was one. */
export interface Ran {
  readonly plan?: Plan;
  readonly outcome?: Outcome;
  readonly error?: unknown;
  /** Everything that was reported during the run. */
  readonly reported: readonly string[];
}

/** The stack that all runs are of. */
export const stack = { name: 'prod', id: '7f3a9c21' };

/** Looks, plans and applies once, put together as the command line does it. */
export async function oneRun(desired: DesiredStack, within: Surroundings): Promise<Ran> {
  const reported: string[] = [];
  const {
    emulator,
    road = { baseUrl: 'http://127.0.0.1', dispatcher: () => emulator.dispatcher() },
    profile,
    clock,
    memory,
    planted,
    death,
  } = within;
  let plan: Plan | undefined;
  try {
    if (memory.isTorn === true) throw new Error('the state cannot be read');
    const repeat = createRetry({
      clock,
      onRetry: ({ why }) => reported.push(why),
      ...(death === undefined ? {} : { signal: death }),
    });
    const limiter = createLimiter(undefined, clock);
    const client = (...interceptors: Parameters<ReturnType<Emulator['dispatcher']>['compose']>): Client =>
      createClient({
        baseUrl: road.baseUrl,
        vendor: 'example',
        key: () => within.key,
        userAgent: 'sluice-faults',
        dispatcher: road.dispatcher().compose(...interceptors),
        limiter,
        repeat,
        ...(death === undefined ? {} : { signal: death }),
      });
    const who = { ...stack, profile, marker: true };
    const seen = await refresh({
      source: serviceSource((planted.reader ?? same)(client(readOnly)), kinds),
      kinds,
      stack: who,
      state: memory.state,
      wanted: new Set(desired.resources.map(({ kind }) => kind)),
      addresses: desired.resources.map(({ address }) => address),
      adopt: desired.resources.flatMap(({ kind, lifecycle: { adopt } }) =>
        adopt === undefined ? [] : [{ kind, id: adopt }],
      ),
    });
    const account = planted.account?.(seen, memory.state) ?? seen;
    const made = planStack({
      desired,
      account,
      state: memory.state,
      stack: who,
      policy: { maxDeletes: { count: 1000 }, block: [], access: [accessRules] },
      kinds,
      digest,
      // Generated stacks break the rules of the reference stacks, and whether a plan is blocked is not what is judged.
      allow: [...hazardCodes, ...accessRules.rules.map(({ name }) => allowedRule(name))],
    });
    plan = planted.plan?.(made) ?? made;
    reported.push(...plan.diagnostics.map(({ message }) => message), ...plan.hazards.map(({ message }) => message));
    const save = (state: State): Promise<void> => {
      if (death?.aborted === true) return Promise.reject(new Error('the process is gone'));
      memory.saves += 1;
      memory.state = { ...state, serial: memory.saves };
      memory.isTorn = false;
      return Promise.resolve();
    };
    const tear = (): void => {
      if (death?.aborted !== true) memory.isTorn = true;
    };
    const state = memory.state ?? emptyState(stack.id, 'http://127.0.0.1');
    const outcome = await applyPlan({
      plan,
      kinds,
      client: (planted.writer ?? same)(client()),
      state,
      record: savingWholeStates(state, planted.save?.(save, tear) ?? save),
      digest,
      clock,
      seen: seenIds(account),
      drawNonce: () => within.chance().toString(16).slice(2, 14).padEnd(12, '0'),
      onEvent: (event) => reported.push(JSON.stringify(event)),
      ...(death === undefined ? {} : { signal: death }),
    });
    return { plan, outcome, reported };
  } catch (error) {
    return { ...(plan === undefined ? {} : { plan }), error, reported };
  }
}

function same(client: Client): Client {
  return client;
}

function digest(text: string): string {
  return createHash('sha256').update(`salt of the tests ${text}`).digest('base64url');
}
