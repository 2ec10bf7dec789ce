import type { Address } from '../model/address.ts';
import type { ApplyEvent, ChangeOutcome, Outcome } from '../model/outcome.ts';
import { isEmptyPlan } from '../model/plan.ts';
import type { ApplyRecord } from '../model/watch-status.ts';
import { comparable, approvalDigest } from '../plan/saved/comparable.ts';
import { recordRepairs } from './decide/drift-conflicts.ts';
import type { Controller } from './controller.ts';
import type { HeldBackChange, ApplicableChanges } from './decide/select-applicable.ts';
import type { RefreshedStack, Ports } from './ports.ts';
import { resourceStatuses } from './decide/resource-statuses.ts';

/** Does what may be done, shows how far it is, and takes note of how it ended. */
export async function applyApplicable(
  mind: Controller,
  ports: Ports,
  look: RefreshedStack,
  found: ApplicableChanges,
  signal: AbortSignal,
): Promise<void> {
  const running = new Set<Address>();
  const done = new Set<Address>();
  const show = (): void => {
    mind.resources = resourceStatuses(look.input, { ...found, waiting: mind.waiting, running, done });
    mind.tell();
  };
  show();
  const { plan } = found;
  if (isEmptyPlan(plan)) {
    if (plan.concluded.length > 0) await look.apply(plan, signal, () => undefined);
    return;
  }
  const startedAt = ports.now();
  const trigger = triggerOf(found, mind);
  const digest = approvalDigest(comparable(plan, mind.digest), [plan.stack.name, plan.stack.id]);
  const total = plan.changes.filter(({ action }) => action !== 'none').length;
  let ended = 0;
  const showProgress = (): void => {
    mind.applying = { startedAt, digest, total, done: ended, running: [...running] };
    show();
  };
  ports.log('info', 'apply', `changes to apply: ${total}`, { digest, trigger });
  try {
    showProgress();
    const outcome = await look.apply(plan, signal, (event) => {
      note(event, running, done);
      if (event.type === 'finished') ended += 1;
      showProgress();
    });
    learn(mind, ports, found, outcome);
    mind.waits([...found.waiting, ...failedIn(outcome, mind)]);
    const { revision } = mind;
    mind.addRecord({
      startedAt,
      finishedAt: ports.now(),
      trigger,
      ...(revision === undefined ? {} : { revision }),
      digest,
      outcome: outcome.changes,
      requests: outcome.requests,
      plan: ports.show.plan(plan),
    });
  } finally {
    mind.applying = undefined;
    running.clear();
    show();
  }
}

function note(event: ApplyEvent, running: Set<Address>, done: Set<Address>): void {
  if (event.type === 'started') running.add(event.address);
  if (event.type !== 'finished') return;
  running.delete(event.outcome.address);
  if (event.outcome.ending === 'done') done.add(event.outcome.address);
}

/** What was put right is remembered, what failed is tried again later, and what is done stands as wanted. */
function learn(mind: Controller, ports: Ports, { healed, waiting }: ApplicableChanges, outcome: Outcome): void {
  for (const change of outcome.changes) {
    const { address, ending } = change;
    if (ending === 'done') {
      ports.log('info', 'change', `${address}: done`, logged(change));
      mind.worked(address);
      mind.wants.stands(address);
      mind.remember({ healings: recordRepairs(mind.memory.healings, address, healed.get(address) ?? [], ports.now()) });
    } else if ((ending === 'failed' || ending === 'unknown') && !isCutShort(change, outcome))
      mind.failedSo(address, { code: change.code ?? 'CHANGE_FAILED', message: messageOf(change) });
    else ports.log('warn', 'change', `${address}: ${messageOf(change)}`, logged(change));
  }
  if (waiting.length === 0 && outcome.changes.every(({ ending }) => ending === 'done')) mind.succeeded();
  if (outcome.interrupted) ports.log('info', 'interrupted', 'apply interrupted; requests in progress were completed');
  if (outcome.unsaved !== undefined) mind.failedSo('account', outcome.unsaved);
}

/** What has just failed waits for its time, beside all else that waits. */
function failedIn({ changes }: Outcome, mind: Controller): HeldBackChange[] {
  return changes.flatMap((change) => {
    const { address, action } = change;
    const until = mind.retryAt(address);
    const message = messageOf(change);
    return until === undefined ? [] : [{ address, action, reason: 'retry' as const, message, hazards: [], until }];
  });
}

/** A change that was begun, or was about to be sent, when the apply was to end: nothing has failed, and the next turn goes on with it at once. */
function isCutShort({ isBegun, code, because }: ChangeOutcome, { interrupted }: Outcome): boolean {
  if (!interrupted || because !== undefined) return false;
  return code === 'INTERRUPTED' || (code === undefined && isBegun === true);
}

function messageOf({ ending, message, because, isBegun }: ChangeOutcome): string {
  if (because !== undefined)
    return `${isBegun === true ? 'started, but depends' : 'depends'} on ${because}, which did not complete`;
  return message ?? (ending === 'not-started' ? 'not started' : ending);
}

function logged({ address, action, ending, code }: ChangeOutcome): Record<string, string> {
  return { address, action, ending, ...(code === undefined ? {} : { code }) };
}

function triggerOf({ approved, plan, causes }: ApplicableChanges, mind: Controller): ApplyRecord['trigger'] {
  const changing = plan.changes.flatMap(({ address, action }) => (action === 'none' ? [] : [address]));
  if (changing.some((address) => approved.has(address))) return 'approval';
  if (changing.every((address) => mind.hasTrouble(address))) return 'retry';
  const all = new Set(causes.values());
  if (all.has('revision') || all.has('removal')) return 'revision';
  return all.has('renewal') ? 'renewal' : 'drift';
}
