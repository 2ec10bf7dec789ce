import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEmptyPlan, type Plan } from '../../../src/model/plan/plan.ts';
import type { StackLists } from '../../../src/refresh/shared-lists.ts';
import type { AccountLists } from '../../../src/stack/service/account-limiters.ts';
import { stacksInTurn } from './stacks-in-turn.ts';

const intervalMs = 60_000;
const addresses = (...described: readonly string[]): string =>
  described
    .map(
      (text, n) => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: a${n}}
lifecycle: {protect: false}
spec: {description: ${text}}
`,
    )
    .join('---\n');

const shared = (lists: AccountLists): AccountLists => lists;
const apart = (): 'none' => 'none';

test('ten stacks at rest list their account once in an interval, not ten times', async () => {
  const stacks = Array.from({ length: 10 }, (_, n) => n);
  const files = stacks.map((n) => addresses(`First of ${n}`, `Second of ${n}`));
  const fleet = await stacksInTurn(files, { pageSize: 5, lists: shared });
  const requests = async (turns: () => Promise<void>): Promise<readonly string[]> => {
    const before = fleet.emulator.log.length;
    await turns();
    return fleet.emulator.log.slice(before).map(({ method }) => method);
  };
  const inTurn = async (): Promise<void> => {
    for (const n of stacks) {
      await fleet.turn(n);
      fleet.time.leap(intervalMs / 10);
    }
  };
  await requests(inTurn);
  const pages = 4;
  // After its creations, each lists for itself.
  expect(await requests(inTurn)).toEqual(Array(10 * pages).fill('GET'));
  fleet.time.leap(intervalMs);
  // A list is valid for nine of ten turns.
  expect(await requests(inTurn)).toEqual(Array(2 * pages).fill('GET'));
});

type Event =
  | { readonly do: 'turn'; readonly stack: number }
  | { readonly do: 'edit'; readonly stack: number; readonly to: readonly string[] }
  | { readonly do: 'drift'; readonly stack: number; readonly to: string | undefined }
  | { readonly do: 'fail' }
  | { readonly do: 'pass'; readonly ms: number };

const stack = fc.nat({ max: 2 });
const texts = ['red', 'green', 'blue'];
const events: fc.Arbitrary<Event[]> = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.record({ do: fc.constant('turn' as const), stack }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('edit' as const),
        stack,
        to: fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 2 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('drift' as const),
        stack,
        to: fc.constantFrom(undefined, 'by hand', ...texts),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(5_000, 30_000) }) },
  ),
  { minLength: 25, maxLength: 25 },
);

/** Lives through events, then lets two intervals pass. Answers what is in the account, and what was planned wrong. */
async function lived(given: readonly Event[], lists: (lists: AccountLists) => AccountLists | 'none') {
  const fleet = await stacksInTurn([addresses('red'), addresses('red'), addresses('red')], { pageSize: 2, lists });
  const { emulator, time } = fleet;
  const isTogether = lists !== apart;
  const wrong: string[] = [];
  let failing = false;
  let drifted = Number.NEGATIVE_INFINITY;
  emulator.intercept((request, next) => {
    if (!failing || request.method !== 'GET') return next();
    failing = false;
    return { status: 403, headers: {}, body: '{}' };
  });

  async function turn(n: number): Promise<void> {
    const willFail = failing;
    failing = false;
    const expected = isTogether ? await fleet.planned(n) : undefined;
    failing = willFail;
    const plan = await fleet.turn(n).catch(() => undefined);
    if (plan === undefined || expected === undefined || essence(plan) === essence(expected)) return;
    if (!isEmptyPlan(plan)) wrong.push('a plan with changes is not of the account as it is');
    else if (time.now() - drifted >= 0.9 * intervalMs)
      wrong.push('a change is not seen, although nobody else has just made it');
  }

  async function drift(n: number, description: string | undefined): Promise<void> {
    const { resources } = emulator.snapshot();
    const found = resources.find(({ spec }) => (spec['metadata'] as string).includes(`"s${n}/`));
    if (found === undefined) return;
    drifted = time.now();
    const headers = { authorization: 'Bearer else', 'example-version': '2', 'content-type': 'application/json' };
    const what =
      description === undefined
        ? { method: 'DELETE', body: '' }
        : { method: 'PATCH', body: JSON.stringify({ description }) };
    await emulator.handle({ ...what, path: `/reserved_addrs/${found.id}`, headers, actor: 'somebody' });
  }

  for (const event of given) {
    if (event.do === 'turn') await turn(event.stack);
    else if (event.do === 'edit') fleet.write(event.stack, addresses(...event.to));
    else if (event.do === 'drift') await drift(event.stack, event.to);
    else if (event.do === 'fail') failing = true;
    else time.leap(event.ms);
  }
  failing = false;
  for (let interval = 0; interval < 2; interval++) {
    time.leap(intervalMs);
    for (const n of [0, 1, 2]) await turn(n);
  }
  const account = emulator.snapshot().resources.map(({ spec }) => spec['description'] as string);
  return { account: account.sort(), wrong };
}

/** What a plan does, whichever ids and markers are drawn. */
function essence({ changes }: Plan): string {
  const done = changes.map(({ address, action, fields }) => [
    address,
    action,
    fields.map(({ path, after }) => [path, after]),
  ]);
  return JSON.stringify(done);
}

// The account is changed to and fro while a list of it is valid: by the stack itself, and by somebody else.
const toAndFro: readonly (readonly Event[])[] = [
  [
    { do: 'turn', stack: 0 },
    { do: 'turn', stack: 0 },
    { do: 'turn', stack: 1 },
    { do: 'turn', stack: 1 },
    { do: 'edit', stack: 0, to: ['green'] },
    { do: 'turn', stack: 0 },
    { do: 'edit', stack: 0, to: ['red'] },
    { do: 'turn', stack: 0 },
  ],
  [
    { do: 'turn', stack: 0 },
    { do: 'turn', stack: 1 },
    { do: 'turn', stack: 0 },
    { do: 'turn', stack: 1 },
    { do: 'pass', ms: intervalMs },
    { do: 'drift', stack: 0, to: 'by hand' },
    { do: 'turn', stack: 1 },
    { do: 'drift', stack: 0, to: 'red' },
    { do: 'turn', stack: 0 },
  ],
];

test('under drift, edits and failures, stacks that share lists plan and leave behind what stacks do that share none', async () => {
  const numRuns = Number(process.env['RUNS'] ?? 2);
  for (const course of [...toAndFro, ...fc.sample(events, { numRuns, seed: 74 })])
    expect(await lived(course, shared)).toEqual({ ...(await lived(course, apart)), wrong: [] });
});

test.each<[string, (lists: AccountLists) => AccountLists]>([
  [
    'a write goes unnoticed',
    (lists) => ({ ...lists, of: (one) => ({ ...listsOf(lists, one), duringWrite: (write) => write() }) }),
  ],
  [
    'what a list of another shows is applied',
    (lists) => ({
      ...lists,
      of: (one) => {
        const own = listsOf(lists, one);
        return { ...own, source: (...given) => ({ ...own.source(...given), hasReused: () => false }) };
      },
    }),
  ],
])('planted and found: %s', async (_, plant) => {
  const wrong: string[] = [];
  for (const course of toAndFro) wrong.push(...(await lived(course, plant)).wrong);
  expect(wrong).not.toEqual([]);
});

function listsOf(lists: AccountLists, account: Parameters<AccountLists['of']>[0]): StackLists {
  const own = lists.of(account);
  if (own === undefined) throw new Error('nothing is shared');
  return own;
}
