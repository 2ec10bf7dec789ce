import { pointerOf } from '../derive/pointer.ts';
import { counted } from '../diagnostics/counted.ts';
import { Refused } from '../diagnostics/errors.ts';
import { isEmptyPlan, type Plan } from '../model/plan.ts';
import type { DriftConflict } from '../model/watch-status.ts';
import type { PlanInput } from '../plan/input.ts';
import { applyApplicable } from './apply-applicable.ts';
import { isInConflict, recordDrift } from './decide/drift-conflicts.ts';
import type { Controller } from './controller.ts';
import { selectApplicable, type ApplicableChanges } from './decide/select-applicable.ts';
import type { RefreshedStack, Ports } from './ports.ts';
import type { OperatorRequests } from './operator-requests.ts';

const HOUR = 3_600_000;

/** Finds what may be done about the account as it was looked at, does it, and takes note of how that ended. */
export async function reconcile(
  mind: Controller,
  ports: Ports,
  look: RefreshedStack,
  wishes: OperatorRequests,
  signal: AbortSignal,
): Promise<void> {
  const { input } = look;
  mustDescribeSomething(input);
  mind.wants.read(input.desired, mind.digest);
  const found = whatToDo(mind, ports, input, wishes);
  mind.fights = fightsIn(found.full, mind, ports);
  mind.hasLooked();
  mind.waits(found.waiting);
  mind.waitsForApproval(found.digest);
  mind.remember({ approved: Object.fromEntries(found.approved) });
  const open = new Set(found.full.changes.flatMap(({ address, action }) => (action === 'none' ? [] : [address])));
  mind.onlyTroublesOf((address) => open.has(address));
  for (const { address, action } of found.full.changes) if (action === 'none') mind.wants.stands(address);
  // Before a long apply: what waits may be approved meanwhile.
  await mind.keep();
  if (isEmptyPlan(found.plan) && found.waiting.length === 0) mind.succeeded();
  await applyApplicable(mind, ports, look, found, signal);
  await mind.keep();
}

/** What may be done now; what of it depends on fights that begin, and on approvals that are new, is found once more. */
function whatToDo(mind: Controller, ports: Ports, input: PlanInput, wishes: OperatorRequests): ApplicableChanges {
  const { stack, wants } = mind;
  if (stack === undefined) throw new TypeError('the stack is not loaded');
  const find = (): ApplicableChanges =>
    selectApplicable(input, {
      switches: stack.switches,
      state: input.state,
      isTouched: (address) => wants.isTouched(address),
      isFought: (address, pointer) => isInConflict(mind.memory.healings, address, pointer),
      retryAt: (address) => mind.retryAt(address),
      digest: mind.digest,
      approved: new Map(Object.entries(mind.memory.approved)),
    });
  const first = find();
  const { healings } = mind.memory;
  mind.remember({
    healings: recordDrift(healings, {
      drifted: first.drifted,
      wantedOf: (address) => wants.of(address),
      now: ports.now(),
      windowMs: Math.max(HOUR, 12 * stack.intervalMs),
    }),
  });
  const isOther = JSON.stringify(healings) !== JSON.stringify(mind.memory.healings);
  const found = isOther ? find() : first;
  return hearApprovals(mind, wishes, found) ? find() : found;
}

/** Takes to heart what a person has approved, once: the changes that wait now, if it is they. */
function hearApprovals(
  mind: Controller,
  { approvals }: OperatorRequests,
  { digest, unapproved }: ApplicableChanges,
): boolean {
  const { heard, approved } = mind.memory;
  const named = approvals.map((one) => ({ key: `${one.digest} ${one.at}`, digest: one.digest }));
  const fresh = named.filter((one) => one.digest === digest && !heard.includes(one.key));
  // What is no longer among the wishes cannot be heard again.
  const still = named.map(({ key }) => key).filter((key) => heard.includes(key));
  mind.remember({ heard: [...still, ...fresh.map(({ key }) => key)] });
  if (fresh.length === 0) return false;
  mind.remember({ approved: { ...approved, ...Object.fromEntries(unapproved) } });
  return true;
}

/** Manifests that describe nothing are more likely a failed sync than a wish to delete everything (law 7). */
function mustDescribeSomething({ desired, account }: PlanInput): void {
  if (desired.resources.length > 0 || !desired.whole || account.ours.size === 0) return;
  throw new Refused(
    'NO_RESOURCES_DEFINED',
    `the manifests contain no resources, but ${counted(account.ours.size, 'resource')} of this stack ${account.ours.size === 1 ? 'exists' : 'exist'}; nothing is deleted`,
    { hint: 'to delete them all, run `sluice destroy`' },
  );
}

/** Both sides of what others put back again and again. */
function fightsIn(full: Plan, { memory }: Controller, { show }: Ports): DriftConflict[] {
  return Object.entries(memory.healings).flatMap(([address, own]) =>
    Object.entries(own).flatMap(([pointer, { at, foughtSince }]): DriftConflict[] => {
      const change = full.changes.find((one) => one.address === address);
      if (foughtSince === undefined || change === undefined) return [];
      const field = change.fields.find(({ path }) => pointerOf(path) === pointer);
      const sides = field === undefined ? { before: 'absent', after: 'present' } : show.field(field, change.kind);
      return [{ address, pointer, desired: sides.after, actual: sides.before, count: at.length, since: foughtSince }];
    }),
  );
}
