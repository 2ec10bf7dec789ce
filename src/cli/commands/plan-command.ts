import { driftOnly } from '../../plan/parts/part-of-plan.ts';
import { whyNotApprovable } from '../../plan/why-not-approvable.ts';
import { counted } from '../../diagnostics/counted.ts';
import { UsageError } from '../../stack/usage-error.ts';
import { kinds } from '../../kinds/index.ts';
import { isUnallowedBreach, type RuleVerdict } from '../../model/exposure/access-rules.ts';
import { type Plan, revisedPlan, isPending } from '../../model/plan/plan.ts';
import type { PlanParts } from '../../model/plan/plan-parts.ts';
import { present } from '../../model/present.ts';
import type { Verification } from '../../model/verification.ts';
import type { PlanInput } from '../../plan/input.ts';
import type { ToSave } from '../../plan/saved/saved-plan.ts';
import { planJson } from '../../render/plan/plan-json.ts';
import { planText } from '../../render/plan/plan-text.ts';
import { sluiceCommand } from '../../render/status/sluice-command.ts';
import type { Context } from '../context.ts';
import { isPlanDigest } from '../../model/plan/is-plan-digest.ts';
import { requireDigest } from '../approval/require-digest.ts';
import { exitCodes } from '../exit-code.ts';
import { lacksVerifiedSecrets } from '../../stack/plan/lacks-verified-secrets.ts';
import type { LoadedBase, LoadedApplied } from '../../stack/plan/load-revision.ts';
import { loadDesired, type DesiredScope, type StackFlags } from '../../stack/plan/load-desired.ts';
import { refreshScope } from '../../stack/plan/refresh-stack.ts';
import { planDigest } from '../../stack/plan/plan-digest.ts';
import { savedCheckout, savePlanFile, secretsWrittenOut } from '../../stack/plan/plan-file.ts';
import { makePlan, type Planned, type PlanningFlags } from '../../stack/plan/make-plan.ts';
import { planDestroy } from '../../stack/plan/plan-destroy.ts';
import { annotated, report, summaryFile, type ReportFlags } from '../output/plan-reports.ts';
import { outputTarget } from '../ci.ts';
import { openWorkspace, type PlanningWorkspace } from '../../stack/workspace.ts';

/** What to plan, and how to show it. */
export interface PlanFlags extends StackFlags, PlanningFlags, ReportFlags {
  readonly detailedExitcode?: boolean;
  readonly requests?: boolean;
  readonly destroy?: boolean;
  readonly driftOnly?: boolean;
  readonly verify?: boolean;
  readonly base?: string;
  readonly check?: string;
  readonly snapshot?: string;
  readonly out?: string;
}

/** Shows what apply would do. */
export async function plan(context: Context, flags: PlanFlags): Promise<number> {
  requireOneScope(flags);
  summaryFile(context, flags);
  const workspace =
    flags.snapshot === undefined
      ? await openWorkspace(context, { ...flags, command: 'plan', writes: false })
      : await (await import('../../stack/snapshot/open-snapshot.ts')).openSnapshot(context, flags.snapshot);
  try {
    const { dir } = workspace;
    const { wanted, planned, proof } = await annotated(context, flags, dir, async () => {
      const { plan, input, wanted, loaded } =
        flags.destroy === true
          ? { ...(await planDestroy(context, workspace, flags)), loaded: undefined }
          : await planDesired(context, workspace, flags);
      const planned = flags.driftOnly === true ? driftOnly(plan) : plan;
      const verified = flags.verify === true ? await verify(context, planned, input, wanted, flags) : undefined;
      const parts = loaded === undefined ? undefined : await split(context, input, wanted, loaded, flags);
      return { wanted, planned, proof: { verified, parts } };
    });
    const reported = revisedPlan(planned, {
      diagnostics: [...wanted.desired.diagnostics, ...planned.diagnostics],
    });
    const saved =
      flags.out === undefined
        ? undefined
        : await save(flags.out, context, workspace, present({ plan: reported, ...proof }), wanted, flags);
    const ofReview = planDigest(context, workspace, planned);
    const digest = saved?.digest ?? ofReview;
    const isApprovable = (): boolean => flags.driftOnly !== true && whyNotApprovable(planned).length === 0;
    const time = new Date((context.io.now ?? Date.now)()).toISOString();
    const result = { plan: reported, digest, time, ...proof };
    context.result(
      () => planText(planned, { kinds, ...context.layout, requests: flags.requests === true, ...proof }),
      () => planJson(reported, { kinds, digest, reviewDigest: isApprovable() ? ofReview : undefined, ...proof }),
      (format) => format.plan?.(result, outputTarget(context, flags, dir)),
    );
    if (flags.out !== undefined && saved !== undefined)
      context.log('info', `Saved the plan to ${flags.out}. ${nextStep(context, planned, flags.out, saved)}`);
    await report(context, result, dir, flags);
    if (flags.check !== undefined) {
      requireDigest(context, workspace, planned, flags.check);
      return exitCodes.done;
    }
    if (proof.verified?.converges === false) return exitCodes.failed;
    if (lacksVerifiedSecrets(context, planned, flags)) return exitCodes.refused;
    if (planned.rules?.some(isBrokenByManifests) === true) return exitCodes.refused;
    return flags.detailedExitcode === true && isPending(planned) ? exitCodes.pending : exitCodes.done;
  } finally {
    await workspace.close();
  }
}

async function planDesired(
  context: Context,
  workspace: PlanningWorkspace,
  flags: PlanFlags,
): Promise<Planned & { readonly wanted: DesiredScope; readonly loaded: Compared | undefined }> {
  const own = await load(context, workspace, flags);
  const loaded = flags.base === undefined ? undefined : await loadCompared(context, workspace, flags.base);
  const compared = loaded === undefined ? [] : [loaded.base, loaded.applied];
  const wanted = { ...own, compared: compared.flatMap((one) => ('wanted' in one ? [one.wanted] : [])) };
  return { ...(await makePlan(context, workspace, wanted, flags)), wanted, loaded };
}

async function load(context: Context, workspace: PlanningWorkspace, flags: PlanFlags): Promise<DesiredScope> {
  if (workspace.snapshot === undefined) return loadDesired(context, workspace, flags, 'error');
  const wanted = await loadDesired(context, workspace, flags, 'ignore');
  const { withoutSecrets } = await import('../../stack/snapshot/open-snapshot.ts');
  return { ...wanted, desired: withoutSecrets(wanted.desired) };
}

/** What a plan is compared with, to show it in parts. */
interface Compared {
  readonly base: LoadedBase;
  readonly applied: LoadedApplied;
}

async function loadCompared(context: Context, workspace: PlanningWorkspace, ref: string): Promise<Compared> {
  const { loadBase, loadApplied } = await import('../../stack/plan/load-revision.ts');
  return { base: await loadBase(context, workspace, ref), applied: await loadApplied(context, workspace) };
}

/** The emulator is loaded only for --base and --verify. */
async function split(
  { io: { signal } }: Context,
  input: PlanInput,
  { compared: _, ...wanted }: DesiredScope,
  { base, applied }: Compared,
  flags: PlanFlags,
): Promise<PlanParts> {
  const { splitPlan } = await import('../../stack/plan/split-plan.ts');
  return splitPlan({ input, scope: refreshScope(wanted, flags), loaded: base, applied, flags, signal });
}

/** Whether a plan, or the manifests behind it, break a rule that nobody has allowed to be broken. What unmanaged routes break is shown. */
function isBrokenByManifests(verdict: RuleVerdict): boolean {
  const isOurs = verdict.findings.some(({ address }) => !address.startsWith('unmanaged '));
  return isUnallowedBreach(verdict) && (isOurs || verdict.causes.length > 0);
}

/** Refuses flags that contradict each other. */
function requireOneScope(flags: PlanFlags): void {
  const { destroy, driftOnly, file, selector, target, out, verify, base, check, snapshot } = flags;
  if (snapshot !== undefined && (verify === true || base !== undefined || check !== undefined))
    throw new UsageError(
      '--snapshot cannot be combined with --verify, --base or --check, which need access to the account',
    );
  if (check !== undefined && !isPlanDigest(check))
    throw new UsageError('--check requires a digest: sha256:… with 64 hexadecimal digits');
  if (check !== undefined && driftOnly === true)
    throw new UsageError('--drift-only shows only a part of the plan and cannot be combined with --check');
  if (base !== undefined && (destroy === true || driftOnly === true || (file ?? selector ?? target) !== undefined))
    throw new UsageError(
      '--base needs the whole plan and cannot be combined with -f, -l, --target, --destroy or --drift-only',
    );
  if (destroy === true && (file ?? selector ?? target) !== undefined)
    throw new UsageError('--destroy deletes the whole stack and cannot be limited by -f, -l or --target');
  if (driftOnly === true && (destroy === true || out !== undefined || verify === true))
    throw new UsageError(
      '--drift-only shows only a part of the plan and cannot be combined with --destroy, --out or --verify',
    );
}

type SavedTo = Awaited<ReturnType<typeof savePlanFile>>;

/** Saves the plan with its inputs, so that a later apply can plan again; returns the digest used to approve it. */
async function save(
  file: string,
  context: Context,
  workspace: PlanningWorkspace,
  planned: Pick<ToSave, 'plan' | 'verified' | 'parts'>,
  { desired, described, removedTargets, checkout }: DesiredScope,
  flags: PlanFlags,
): Promise<SavedTo> {
  await context.report(secretsWrittenOut(desired));
  const run = {
    described,
    targets: removedTargets,
    allow: flags.allow ?? [],
    resendSecrets: flags.resendSecrets === true,
    allowEmpty: flags.allowEmpty === true,
    acceptMissing: flags.acceptMissing === true,
    keepOldest: flags.keepOldest === true,
    ...(flags.destroy === true ? { destroying: true } : {}),
    ...(flags.renameFrom === undefined ? {} : { renameFrom: flags.renameFrom }),
    ...(checkout === undefined ? {} : await savedCheckout(checkout)),
  };
  return savePlanFile(context, workspace, file, { ...planned, desired, run });
}

async function verify(
  { io: { signal } }: Context,
  plan: Plan,
  input: PlanInput,
  wanted: DesiredScope,
  flags: PlanFlags,
): Promise<Verification> {
  const [{ verifyPlan }, { cloneAccount }] = await Promise.all([
    import('../../stack/plan/simulated-run.ts'),
    import('../../stack/service/clone-account.ts'),
  ]);
  return verifyPlan({ plan, input, scope: refreshScope(wanted, flags), clone: cloneAccount(input), signal });
}

function nextStep({ dir }: Context, { changes, snapshot }: Plan, file: string, { digest, written }: SavedTo): string {
  if (snapshot !== undefined)
    return `The plan was made from a snapshot: it can be shown and posted as a comment, but not applied.`;
  const blocked = changes.filter((change) => change.blocked !== undefined);
  // Nothing can be read again from a pipe or device.
  if (blocked.length === 0 && written === 'stream') return `The digest of the plan is ${digest}`;
  // What begins with a dash would be a flag.
  const argument = file.startsWith('-') ? `./${file}` : file;
  return blocked.length === 0
    ? `To apply the plan, run: ${sluiceCommand(dir, ['apply', argument, '--digest', digest])}`
    : `sluice apply refuses this plan, because ${counted(blocked.length, 'change is', 'changes are')} blocked. The digest of the plan is ${digest}`;
}
