import { pointerOf } from '../derive/pointer.ts';
import { Refused } from '../diagnostics/errors.ts';
import type { Address } from '../model/address.ts';
import type { ApplyEvent, Outcome } from '../model/outcome.ts';
import { isEmptyPlan, type Plan } from '../model/plan.ts';
import type { ApplyRecord, Fight } from '../model/watch-status.ts';
import { comparable, digestOf } from '../plan/comparable.ts';
import { encode } from '../plan/encoded.ts';
import type { PlanInput } from '../plan/input.ts';
import { isFought, noticeDrift, putRight, settled } from './fights.ts';
import { wholeResource } from './judge.ts';
import type { Mind } from './mind.ts';
import { narrow, type Narrowed } from './narrow.ts';
import type { Look, Ports } from './ports.ts';
import { standings } from './standings.ts';
import { readWishes, writeWishes, type Wishes } from './wishes.ts';

const HOUR = 3_600_000;

/** Finds what may be done about the account as it was looked at, does it, and takes note of how that ended. */
export async function carryOut(
  mind: Mind,
  ports: Ports,
  look: Look,
  wishes: Wishes | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { stack } = mind;
  if (stack === undefined) return;
  const { input } = look;
  mustDescribeSomething(input);
  const wanted = new Map(
    input.desired.resources.map(({ address, spec }) => [address, JSON.stringify(encode(spec, input.digest))]),
  );
  const isTouched = (address: Address): boolean => {
    const before = mind.applied.get(address);
    return before !== undefined && before !== wanted.get(address);
  };
  for (const [address, text] of wanted) if (!mind.applied.has(address)) mind.applied.set(address, text);
  for (const address of wanted.keys())
    if (isTouched(address)) mind.remember({ healings: settled(mind.healings, address) });

  const find = (): Narrowed =>
    narrow(
      input,
      {
        switches: stack.switches,
        state: input.state,
        isTouched,
        isFought: (address, pointer) => isFought(mind.healings, address, pointer),
        retryAt: (address) => mind.retryAt(address),
      },
      new Set(wishes?.approvals.map(({ digest }) => digest)),
    );
  let found = find();
  const window = Math.max(HOUR, 12 * stack.intervalMs);
  const healings = noticeDrift(mind.healings, found.drifted, ports.now(), window);
  const isNewFight = JSON.stringify(healings) !== JSON.stringify(mind.healings);
  mind.remember({ healings });
  if (isNewFight) found = find();
  mind.fights = fightsIn(found.full, mind, ports);
  mind.hasLooked();
  mind.waits(found.waiting);
  mind.waitsForApproval(found.digest === found.approved ? undefined : found.digest);
  mind.onlyTroublesOf((cause) => found.waiting.some(({ address }) => address === cause) || isIn(found.plan, cause));
  const progress = { running: new Set<Address>(), done: new Set<Address>() };
  const show = (): void => {
    mind.resources = standings(input, { ...found, waiting: mind.waiting, ...progress });
    mind.tell();
  };
  show();
  for (const { address, action } of found.full.changes)
    if (action === 'none') mind.applied.set(address, wanted.get(address) ?? '');
  if (isEmptyPlan(found.plan)) {
    if (found.waiting.length === 0) mind.succeeded();
    return mind.keep();
  }
  const outcome = await apply(mind, ports, look, found, signal, (event) => {
    if (event.type === 'started') progress.running.add(event.address);
    if (event.type === 'finished') {
      progress.running.delete(event.outcome.address);
      if (event.outcome.ending === 'done') progress.done.add(event.outcome.address);
    }
    show();
  });
  learn(mind, ports, found, outcome, (address) => mind.applied.set(address, wanted.get(address) ?? ''));
  progress.running.clear();
  show();
  await mind.keep();
}

/** Manifests that describe nothing are more likely a failed sync than a wish to delete everything (law 7). */
function mustDescribeSomething({ desired, account }: PlanInput): void {
  if (desired.resources.length > 0 || !desired.whole || account.ours.size === 0) return;
  throw new Refused(
    'NOTHING_DESCRIBED',
    `the manifests describe nothing, and ${account.ours.size} resources of this stack exist; nothing is deleted`,
    { hint: 'to delete all of them, say `sluice destroy`' },
  );
}

async function apply(
  mind: Mind,
  ports: Ports,
  look: Look,
  found: Narrowed,
  signal: AbortSignal,
  onEvent: (event: ApplyEvent) => void,
): Promise<Outcome> {
  const { plan } = found;
  const began = ports.now();
  const digest = digestOf(comparable(plan, look.input.digest), [plan.stack.name, plan.stack.id]);
  const total = plan.changes.filter(({ action }) => action !== 'none').length;
  ports.log('info', 'apply', `applying ${total} changes`, { digest, why: whyOf(found) });
  const running = new Set<Address>();
  let done = 0;
  const showProgress = (): void => {
    mind.applying = { began, digest, total, done, running: [...running] };
  };
  showProgress();
  try {
    const outcome = await look.apply(plan, signal, (event) => {
      if (event.type === 'started') running.add(event.address);
      if (event.type === 'finished') {
        running.delete(event.outcome.address);
        done += 1;
      }
      showProgress();
      onEvent(event);
    });
    if (found.approved !== undefined) await useApproval(ports, found.approved);
    const { revision } = mind;
    mind.addRecord({
      began,
      ended: ports.now(),
      why: whyOf(found),
      ...(revision === undefined ? {} : { revision }),
      digest,
      outcome: outcome.changes,
      requests: outcome.requests,
      plan: ports.show.plan(plan),
    });
    return outcome;
  } finally {
    mind.applying = undefined;
  }
}

/** What was put right is remembered, what failed is tried again later, and what is done stands as wanted. */
function learn(
  mind: Mind,
  ports: Ports,
  { plan, drifted, waiting, causes }: Narrowed,
  { changes, interrupted }: Outcome,
  stands: (address: Address) => void,
): void {
  const byAddress = new Map(plan.changes.map((change) => [change.address, change]));
  let healings = mind.healings;
  for (const { address, ending, code, message } of changes) {
    const fields = { address, action: byAddress.get(address)?.action, ending, ...(code === undefined ? {} : { code }) };
    if (ending === 'done') {
      ports.log('info', 'change', `${address}: done`, fields);
      mind.worked(address);
      stands(address);
      if (causes.get(address) === 'drift')
        healings = putRight(healings, address, [...(drifted.get(address) ?? [wholeResource])], ports.now());
    } else if (ending === 'failed' || ending === 'unknown') mind.failed(address, new Error(message ?? ending), address);
    else ports.log('warn', 'change', `${address}: ${ending}${message === undefined ? '' : `, ${message}`}`, fields);
  }
  mind.remember({ healings });
  const isDone = changes.every(({ ending }) => ending === 'done');
  if (isDone && waiting.length === 0) mind.succeeded();
  if (interrupted) ports.log('info', 'interrupted', 'stopped before the end: something newer is to be read');
}

/** Both sides of what others put back again and again. */
function fightsIn(full: Plan, { healings }: Mind, { show }: Ports): Fight[] {
  return Object.entries(healings).flatMap(([address, own]) =>
    Object.entries(own).flatMap(([pointer, { at, foughtSince }]): Fight[] => {
      const change = full.changes.find((one) => one.address === address);
      if (foughtSince === undefined || change === undefined) return [];
      const field = change.fields.find(({ path }) => pointerOf(path) === pointer);
      const sides =
        field === undefined ? { before: 'not there', after: 'to be there' } : show.field(field, change.kind);
      return [{ address, pointer, ours: sides.after, theirs: sides.before, times: at.length, since: foughtSince }];
    }),
  );
}

function whyOf({ approved, causes }: Narrowed): ApplyRecord['why'] {
  if (approved !== undefined) return 'approval';
  const all = new Set(causes.values());
  if (all.has('revision') || all.has('removal')) return 'revision';
  return all.has('renewal') ? 'renewal' : 'drift';
}

async function useApproval({ files, now }: Ports, digest: string): Promise<void> {
  const wishes = readWishes(files.wishes);
  const approvals = wishes.approvals.filter((approval) => approval.digest !== digest);
  await writeWishes(files.wishes, { ...wishes, approvals }, now());
}

function isIn(plan: Plan, address: string): boolean {
  return plan.changes.some((change) => change.address === address && change.action !== 'none');
}
