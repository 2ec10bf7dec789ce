import { Refused, Stale } from '../diagnostics/errors.ts';
import type { Address } from '../model/address.ts';
import type { ApplyEvent, Outcome } from '../model/outcome.ts';
import { hazardCodes, type Hazard, type Plan } from '../model/plan/plan.ts';
import { unverifiedSecrets } from '../plan/warnings/unverified-secrets.ts';
import {
  checkOptions,
  elementText,
  libraryOptionTypes,
  optionTypes,
  typeText,
  type OptionType,
} from './check-options.ts';
import { checkedOut } from './git/git-head.ts';
import { apiKey } from './settings/api-key.ts';
import { applyInWorkspace } from './plan/apply-in-workspace.ts';
import { libraryContext, type LibraryOptions } from './library-context.ts';
import { loadDesired } from './plan/load-desired.ts';
import { makePlan, type Planned } from './plan/make-plan.ts';
import { closeAll } from './close-all.ts';
import { openLocked } from './open-backend.ts';
import { planDigest } from './plan/plan-digest.ts';
import { readStackConfig } from './settings/stack-config.ts';
import { UsageError } from './usage-error.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** How a program opens a stack. */
export interface OpenStackOptions extends LibraryOptions {
  /** Take the state lock, which `apply` requires; `close` releases it. */
  readonly writes?: boolean;
  /** How many seconds to wait for the lock; 0 by default. */
  readonly lockTimeout?: number;
}

/** Which part of a stack to plan, and which safety checks to override. Each is the flag of `sluice plan` with the same name. */
export interface PlanOptions {
  /** Labels, such as `team=web,tier!=test`. */
  readonly selector?: string;
  readonly target?: readonly Address[];
  /** Hazards that the policy blocks and this plan may have, and access rules that it may break (`rule:NAME`). */
  readonly allow?: readonly (Hazard['code'] | `rule:${string}`)[];
  readonly allowEmpty?: boolean;
  readonly acceptMissing?: boolean;
  readonly keepOldest?: boolean;
  readonly renameFrom?: string;
  readonly resendSecrets?: boolean;
  /** `apply` refuses the plan if a secret cannot be verified. */
  readonly requireVerifiedSecrets?: boolean;
}

/** A stack that a program has opened, with the guarantees of `sluice plan` and `sluice apply`. Calls run one after another. */
export interface OpenedStack {
  /** Reads the manifests, refreshes the account and plans. Writes nothing to the account. */
  readonly plan: (options?: PlanOptions) => Promise<Plan>;
  /** Identifies a plan: the same for the same plan, in another process as well. */
  readonly digest: (plan: Plan) => string;
  /**
   * Applies the latest plan of this stack, once. Throws `Refused` before the first request if a change is blocked. What
   * cannot be closed or saved after it is thrown by the next `plan` or `close`: the outcome is returned all the same.
   */
  readonly apply: (plan: Plan, onEvent?: (event: ApplyEvent) => void) => Promise<Outcome>;
  /** Closes connections and releases the lock. Afterwards, `plan` and `apply` throw `UsageError`. */
  readonly close: () => Promise<void>;
}

/** Opens the stack of a directory. Throws `InvalidInput` for an invalid `sluice.yaml`, and `LockHeld` if another run has the lock. */
export async function openStack(options: OpenStackOptions): Promise<OpenedStack> {
  checkOptions('openStack', options, openStackTypes);
  const { writes = false, lockTimeout, parallelism = 10 } = options;
  const context = libraryContext(options);
  const open = await readStackConfig(context);
  apiKey(open, context.io);
  const opened = await openLocked(context, open, { command: 'library', writes, lockTimeout });
  // State is read again for each plan: an apply changes it.
  let current: { readonly workspace: Workspace; readonly planned: Planned; readonly mustVerify: boolean } | undefined;
  const inTurn = oneAfterAnother();
  // An apply has an outcome to return: what could not be closed after it is the error of the next call.
  let unclosed: (() => Promise<void>) | undefined;
  let closing: Promise<void> | undefined;

  function whileOpen<T>(work: () => Promise<T>): Promise<T> {
    if (closing === undefined) return inTurn(work);
    return Promise.reject(new UsageError('`close` was called on this stack', 'open the stack again with `openStack`'));
  }

  async function closeCurrent(): Promise<void> {
    const close = unclosed;
    current = undefined;
    unclosed = undefined;
    await close?.();
  }

  return {
    plan: (flags = {}) =>
      whileOpen(async () => {
        checkOptions('plan', flags, planTypes);
        await closeCurrent();
        const workspace = await openWorkspace(context, {
          parallelism,
          command: 'library',
          writes: false,
          // It may be another commit than when the stack was opened.
          open: { ...open, head: checkedOut(open.dir) },
          opened,
        });
        unclosed = workspace.close;
        const desired = await loadDesired(context, workspace, flags, 'error');
        const planned = await makePlan(context, workspace, desired, flags);
        current = { workspace, planned, mustVerify: flags.requireVerifiedSecrets === true };
        return planned.plan;
      }),
    digest: (plan) => {
      mustBePlan('digest', plan);
      return planDigest(context, open, plan);
    },
    apply: (plan, onEvent = () => undefined) =>
      whileOpen(async () => {
        mustBePlan('apply', plan);
        checkOptions('apply', { onEvent }, { onEvent: optionTypes.callback });
        if (opened.lock === undefined)
          throw new Refused('LOCK_REQUIRED', 'apply requires the state lock', {
            hint: 'open the stack with `writes: true`',
          });
        if (current?.planned.plan !== plan)
          throw new Stale('PLAN_IS_STALE', 'apply requires the latest plan of the stack', 'call `plan` again', []);
        if (current.mustVerify && unverifiedSecrets(plan).length > 0)
          throw new Refused('SECRETS_NOT_VERIFIED', 'the plan has secrets that cannot be verified', {
            hint: 'keep the state between runs, or plan with `resendSecrets: true`',
          });
        try {
          return await applyInWorkspace(context, current.workspace, current.planned, onEvent);
        } finally {
          await closeCurrent().catch((error: unknown) => {
            unclosed = () => {
              throw error;
            };
          });
        }
      }),
    close: () => (closing ??= inTurn(() => closeAll(closeCurrent, opened.close))),
  };
}

const openStackTypes = { ...libraryOptionTypes, writes: optionTypes.boolean, lockTimeout: optionTypes.seconds };

const isAllowable = (value: unknown): boolean =>
  hazardCodes.some((code) => code === value) || (typeof value === 'string' && /^rule:[a-z0-9-]+$/.test(value));

const planTypes: Readonly<Record<keyof PlanOptions, OptionType>> = {
  selector: optionTypes.string,
  target: optionTypes.strings,
  allow: {
    is: (value) => Array.isArray(value) && value.every(isAllowable),
    text: `an array of ${hazardCodes.join(', ')} or rule:NAME`,
    actual: elementText(isAllowable),
  },
  allowEmpty: optionTypes.boolean,
  acceptMissing: optionTypes.boolean,
  keepOldest: optionTypes.boolean,
  renameFrom: optionTypes.string,
  resendSecrets: optionTypes.boolean,
  requireVerifiedSecrets: optionTypes.boolean,
};

function mustBePlan(call: string, plan: unknown): void {
  if (typeof plan === 'object' && plan !== null && 'changes' in plan && 'steps' in plan) return;
  throw new UsageError(
    `${call}: the first argument must be a plan of this stack, not ${typeText(plan)}`,
    'pass what `await stack.plan()` returns',
  );
}

/** Runs each work after the previous one has ended. */
function oneAfterAnother(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
