import { renderable } from './words.ts';
import { kinds } from '../../src/kinds/index.ts';
import { readDocument } from '../../src/state/document.ts';
import { writeDocument } from '../support/write-document.ts';
import { formsOf } from './forms.ts';
import type { Prepared } from './prepare.ts';
import { provedRulesHold } from './proved-rules.ts';
import type { Evidence } from './trial.ts';
import { addressIn, type Deed } from './witness.ts';

/** Something that must not be. */
export interface Violation {
  /** Its number among the ten of the matrix (docs/faults.md). */
  readonly oracle: number;
  readonly what: string;
}

type Judge = (evidence: Evidence, prepared: Prepared, faults: readonly string[]) => Iterable<string>;

// How far a run may go: requests for each one of the fault-free run, and simulated time.
const most = { requests: 4, pages: 20 * 8, ms: 20 * 60_000 };

/** Judges one case by all ten oracles. */
export function judge(evidence: Evidence, prepared: Prepared, faults: readonly string[]): Violation[] {
  return judges.flatMap((one, at) =>
    [...one(evidence, prepared, faults)].map((what): Violation => ({ oracle: at + 1, what })),
  );
}

const judges: readonly Judge[] = [
  endsAsWithoutFaults,
  createsAndDeletesNoMore,
  oneForEachAddress,
  stateIsWhole,
  thenNothingIsLeft,
  noFalseSuccess,
  noSecretSeen,
  withinBounds,
  noDoorOpen,
  provedRulesHold,
];

function* endsAsWithoutFaults({ account }: Evidence, prepared: Prepared, faults: readonly string[]): Iterable<string> {
  const forms = formsOf(account.resources);
  for (const [address, expected] of prepared.forms) {
    const [one, ...more] = forms.get(address) ?? [];
    if (one === undefined) {
      if (kinds.named(address.split('/')[0] ?? '') !== undefined || !isOfOthers(faults)) yield `${address} is missing`;
    } else if (more.length === 0 && one !== expected[0] && !(isForeign(address) && isOfOthers(faults)))
      yield `${address} is ${one} where it should be ${expected[0] ?? ''}`;
  }
  for (const address of forms.keys())
    if (!prepared.forms.has(address) && !(isForeign(address) && isOfOthers(faults))) yield `${address} is left over`;
}

function isForeign(address: string): boolean {
  return !address.includes('/');
}

/** Faults in which somebody else does something to the account. */
function isOfOthers(faults: readonly string[]): boolean {
  return faults.some((fault) => fault.startsWith('other-'));
}

function* createsAndDeletesNoMore(
  { witness, hit }: Evidence,
  prepared: Prepared,
  faults: readonly string[],
): Iterable<string> {
  // Where a look-up finds whatever was made, nothing is ever made again.
  const isFound =
    prepared.server.profile === 'completed' &&
    !faults.some((fault) => /^(executed-twice|late-commit|list-lag|read-after-write|item-skipped)/.test(fault));
  for (const [address, { created, deleted }] of count(witness.done)) {
    if (address === '') {
      yield `${created} created and ${deleted} deleted that are not ours`;
      continue;
    }
    const usual = count(prepared.done).get(address) ?? { created: 0, deleted: 0 };
    const met = isFound ? 0 : hit.filter((one) => one.method === 'POST' && ownerIn(one.body) === address).length;
    const allowed = usual.created + (isOfOthers(faults) ? faults.length : met) + madeAnewWith(address, hit, prepared);
    if (created > allowed) yield `${address} was created ${created} times, at most ${allowed} would be right`;
    const extra = Math.max(0, created - usual.created);
    if (deleted > usual.deleted + extra)
      yield `${address} was deleted ${deleted} times, at most ${usual.deleted + extra} would be right`;
  }
}

/** Where a route cannot be deleted, one that was made twice goes with its edge, and all its neighbours are made anew. */
function madeAnewWith(address: string, hit: Evidence['hit'], { server }: Prepared): number {
  if (server.profile !== 'documented') return 0;
  const edgeOf = (one: string): string => one.replace(/^\w+\//, '').replace(/:.*$/, '');
  const twice = hit.filter(({ method, path }) => method === 'POST' && path.endsWith('/routes'));
  const met = twice.map(({ body }) => ownerIn(body) ?? '');
  return address.startsWith('HTTPSEdge') ? met.filter((one) => edgeOf(one) === edgeOf(address)).length : 0;
}

function count(done: readonly Deed[]): Map<string, { created: number; deleted: number }> {
  const counts = new Map<string, { created: number; deleted: number }>();
  for (const { what, address = '' } of done) {
    if (what === undefined) continue;
    const mine = counts.get(address) ?? { created: 0, deleted: 0 };
    mine[what] += 1;
    counts.set(address, mine);
  }
  return counts;
}

function ownerIn(body: string): string | undefined {
  return body === '' ? undefined : addressIn((JSON.parse(body) as { readonly metadata?: unknown }).metadata);
}

function* oneForEachAddress({ account, state }: Evidence, _: Prepared, faults: readonly string[]): Iterable<string> {
  const live = new Map(account.resources.map((one) => [one.id, one]));
  const known = new Map(Object.entries(state?.entries ?? {}).map(([address, { id }]) => [id, address]));
  for (const [id, address] of known) if (!live.has(id)) yield `state knows ${address} as ${id}, which is not there`;
  // A copy that somebody else made with our marker on it is left to people.
  if (faults.some((fault) => fault.startsWith('other-recreates'))) return;
  const owned = new Map<string, string>();
  for (const { id, spec } of account.resources) {
    const address = addressIn(spec['metadata']);
    if (address === undefined) continue;
    const other = owned.get(address);
    if (other !== undefined) yield `${address} is there twice: ${other} and ${id}`;
    owned.set(address, id);
    if (!known.has(id)) yield `${id} carries the marker of ${address}, and state does not know it`;
  }
}

function* stateIsWhole({ state }: Evidence): Iterable<string> {
  if (state === undefined) {
    yield 'nothing was ever remembered';
    return;
  }
  if (Object.keys(state.intents ?? {}).length > 0) yield `intents are left: ${Object.keys(state.intents ?? {}).join()}`;
  try {
    readDocument(writeDocument(state, { version: '0', command: 'test' }));
  } catch (error) {
    yield `state cannot be read again: ${String(error)}`;
  }
}

function* thenNothingIsLeft({ runs, isUndisturbed }: Evidence): Iterable<string> {
  const quiet = runs.slice(-2).filter(({ writes, error }) => writes === 0 && error === undefined);
  if (quiet.length < 2) yield `it does not come to rest: ${runs.map(summary).join('; then ')}`;
  // What an earlier run has sent and the service carries out late is not this one's work.
  const busy = runs.slice(1).filter(({ outcome, error }) => (outcome?.requests ?? 0) > 0 || error !== undefined);
  if (busy.length > (isUndisturbed ? 0 : 2))
    yield `it takes ${busy.length} further runs: ${runs.map(summary).join('; then ')}`;
  const open = runs
    .slice(-2)
    .flatMap(({ outcome }) => outcome?.changes.filter(({ ending }) => ending !== 'done') ?? []);
  if (quiet.length === 2 && open.length > 0) yield `it stays undone: ${JSON.stringify(open)}`;
}

function summary({ writes, error, outcome }: Evidence['runs'][number]): string {
  if (error !== undefined) return renderable(error);
  const open = (outcome?.changes ?? []).filter(({ ending }) => ending !== 'done');
  return `${writes} writes${open.map(({ address, ending, message }) => `, ${address} ${ending} (${message ?? ''})`).join('')}`;
}

/** Nothing is reported as unknown that the service can tell. What is reported as done is so when the run has ended; but for what others do, what is carried out later, and a service that denies what it has. */
function* noFalseSuccess(
  { runs, afterFirst, settled }: Evidence,
  prepared: Prepared,
  faults: readonly string[],
): Iterable<string> {
  for (const address of settled)
    if (prepared.server.profile === 'completed' || !address.startsWith('HTTPSEdge/'))
      yield `${address} was reported as unknown, where the service can tell`;
  if (faults.some((fault) => /^(other-|late-commit|status-before=404)/.test(fault))) return;
  const forms = formsOf(afterFirst.resources);
  const [first] = runs;
  const duplicates = new Set(
    first?.plan?.changes.flatMap(({ address, cleanup }) => (cleanup === 'duplicate' ? [address] : [])),
  );
  for (const { address, action, ending, id } of first?.outcome?.changes ?? []) {
    if (ending !== 'done' || duplicates.has(address)) continue;
    const there = forms.get(address) ?? [];
    if (action === 'delete') {
      if (afterFirst.resources.some((one) => one.id === id)) yield `${address} was reported as deleted and is there`;
    } else if (!there.includes(prepared.forms.get(address)?.[0] ?? ''))
      yield `${address} was reported as done and is ${there[0] ?? 'not there'}`;
  }
}

function* noSecretSeen({ runs, state }: Evidence, { canaries }: Prepared): Iterable<string> {
  const seen = [
    JSON.stringify(state ?? {}),
    ...runs.flatMap(({ reported, outcome, error }) => [...reported, JSON.stringify(outcome ?? {}), renderable(error)]),
  ];
  // Quiet runs say the same again.
  for (const where of canaries.in([...new Set(seen)].join('\n'))) yield `the secret ${where} was seen`;
}

function* withinBounds({ runs }: Evidence, prepared: Prepared, faults: readonly string[]): Iterable<string> {
  const pages = faults.some((fault) => fault.startsWith('next-endless')) ? most.pages : 0;
  for (const { requests, ms } of runs) {
    if (requests > prepared.requests.length * most.requests + pages) yield `${requests} requests in one run`;
    if (ms > most.ms) yield `a run took ${Math.round(ms / 1000)} s`;
  }
}

function* noDoorOpen({ witness }: Evidence, { first, last }: Prepared): Iterable<string> {
  for (const [door, asked] of openedIn(witness.fronts, first, last)) yield `${door} asked only for [${asked.join()}]`;
}

function openedIn(
  fronts: Evidence['witness']['fronts'],
  first: Prepared['first'],
  last: Prepared['last'],
): Map<string, readonly string[]> {
  const opened = new Map<string, readonly string[]>();
  for (const front of fronts)
    for (const [door, asked] of front) {
      if (asked === 'refused' || opened.has(door)) continue;
      if (!satisfies(asked, first.get(door)) && !satisfies(asked, last.get(door))) opened.set(door, asked);
    }
  return opened;
}

function satisfies(proofs: readonly string[], asked: readonly string[] | 'refused' | undefined): boolean {
  return asked !== undefined && asked !== 'refused' && asked.every((proof) => proofs.includes(proof));
}
