import { expect, test } from 'vitest';
import { divideStacks, type ReplicaClaims } from '../../../src/watch/replicas/divide-stacks.ts';
import { preference, preferredFor } from '../../../src/watch/replicas/preference.ts';

const stacks = Array.from({ length: 40 }, (_, n) => `stack-${String(n)}`);

interface Claimed {
  readonly holds?: readonly string[];
  readonly awaits?: readonly string[];
  readonly avoids?: readonly string[];
}

const claims = ({ holds = [], awaits = [], avoids = [] }: Claimed): ReplicaClaims => ({
  holds: new Set(holds),
  awaits: new Set(awaits),
  avoids: new Set(avoids),
});

function divided(
  self: string,
  live: Readonly<Record<string, Claimed>>,
  more: { freeMs?: number; leaving?: readonly string[]; silent?: readonly string[]; all?: readonly string[] } = {},
): ReturnType<typeof divideStacks> {
  return divideStacks({
    self,
    live: new Map(Object.entries(live).map(([id, claimed]) => [id, claims(claimed)])),
    stacks: more.all ?? stacks,
    leaving: new Set(more.leaving ?? []),
    silent: new Set(more.silent ?? []),
    freeMs: () => more.freeMs ?? 0,
    patienceMs: 60_000,
  });
}

test('alone, a replica takes every stack at once', () => {
  expect(divided('a', { a: {} })).toEqual({ attempt: stacks, release: [] });
});

test('replicas that start together take equal shares, and no stack twice', () => {
  const live = { a: {}, b: {}, c: {} };
  const taken = Object.keys(live).map((self) => divided(self, live).attempt);
  expect(taken.flat().sort()).toEqual([...stacks].sort());
  for (const own of taken) expect(own.length).toBeLessThanOrEqual(14);
});

test('a stack that another replica prefers is left alone for one lease duration, and then taken', () => {
  const free = stacks.filter((stack) => preferredFor(stack, ['a', 'b']) === 'b').slice(0, 3);
  const held = stacks.filter((stack) => !free.includes(stack));
  const live = { a: { holds: held.slice(0, 18) }, b: { holds: held.slice(18) } };
  expect(divided('a', live).attempt.length).toBeLessThan(3);
  expect(divided('a', live, { freeMs: 60_000 }).attempt).toHaveLength(3);
});

test('nobody takes more than one stack more than an equal share', () => {
  const live = { a: { holds: stacks.slice(0, 20) }, b: {} };
  expect(divided('a', live, { freeMs: 1e9 }).attempt).toHaveLength(1);
});

/** The first of some stacks by how strongly the takers prefer them. */
function mostPreferred(held: readonly string[], takers: readonly string[], count: number): readonly string[] {
  const strongest = (stack: string): string =>
    takers
      .map((id) => preference(id, stack))
      .sort()
      .at(-1) ?? '';
  return [...held].sort((a, b) => (strongest(a) < strongest(b) ? 1 : -1)).slice(0, count);
}

test('a replica that joins is handed stacks by those that have most, the ones that it prefers first', () => {
  const held = stacks.slice(0, 20);
  const live = { a: { holds: held }, b: { holds: stacks.slice(20) }, c: {} };
  const { release } = divided('a', live);
  expect(release).toEqual(mostPreferred(held, ['c'], 7));
  expect(divided('b', live).release).toHaveLength(6);
  expect(divided('a', live, { leaving: release }).release).toEqual([]);
  expect(divided('a', live, { leaving: release.slice(0, 3) }).release).toEqual(release.slice(3));
  expect(divided('c', live).release).toEqual([]);
  const { a, b, c } = live;
  for (const order of [
    { c, b, a },
    { b, c, a },
  ])
    expect(divided('a', order).release).toEqual(release);
});

test('two replicas that join are each handed what they prefer, and one that has enough is handed nothing', () => {
  const held = stacks.slice(0, 20);
  const live = { a: { holds: held }, b: { holds: stacks.slice(20) }, c: {}, d: {} };
  expect(divided('a', live).release).toEqual(mostPreferred(held, ['c', 'd'], 10));
  const uneven = { a: { holds: stacks.slice(0, 27) }, b: { holds: stacks.slice(27) }, c: {} };
  expect(divided('a', uneven).release).toEqual(mostPreferred(uneven.a.holds, ['c'], 13));
  expect(divided('b', uneven).release).toEqual([]);
});

test('a free stack goes to one that has less than an equal share of it, even if one with a full share prefers it', () => {
  const free = stacks.find((stack) => preferredFor(stack, ['a', 'b']) === 'a') ?? '';
  const kept = stacks.filter((stack) => stack !== free).slice(0, 6);
  const live = { a: { holds: kept.slice(0, 4) }, b: { holds: kept.slice(4) }, c: { avoids: [free] } };
  const takers = Object.keys(live).filter((self) => divided(self, live, { all: [...kept, free] }).attempt.length > 0);
  expect(takers).toEqual(['b']);
});

test('a stack that is given back goes to the replica that has too few, whoever else prefers it', () => {
  const given = stacks.find((stack) => preferredFor(stack, ['b', 'c', 'd', 'e']) === 'b') ?? '';
  const kept = stacks.filter((stack) => stack !== given);
  const live = {
    a: { holds: kept.slice(0, 8), avoids: [given] },
    b: { holds: kept.slice(8, 16) },
    c: { holds: kept.slice(16, 24) },
    d: { holds: kept.slice(24, 32) },
    e: { holds: kept.slice(32) },
  };
  expect(Object.keys(live).filter((self) => divided(self, live).attempt.includes(given))).toEqual(['e']);
});

test('where there are hardly more stacks than replicas, one gives a stack to the one that has none', () => {
  const [a = '', b = '', c = '', d = ''] = stacks;
  const live = { a: { holds: [a, b] }, b: { holds: [c, d] }, c: {} };
  expect(['a', 'b', 'c'].map((self) => divided(self, live, { all: [a, b, c, d] }).release.length)).toEqual([1, 0, 0]);
});

test('equal shares stay as they are', () => {
  const live = {
    a: { holds: stacks.slice(0, 14) },
    b: { holds: stacks.slice(14, 27) },
    c: { holds: stacks.slice(27) },
  };
  for (const self of Object.keys(live)) expect(divided(self, live)).toEqual({ attempt: [], release: [] });
});

test('a stack is neither handed to a replica that avoids it, nor left to it', () => {
  const live = { a: { holds: stacks.slice(0, 39) }, b: { avoids: stacks.slice(0, 36) } };
  expect([...divided('a', live).release].sort()).toEqual(stacks.slice(36, 39).sort());
  expect(divided('a', { a: {}, b: { avoids: stacks } }).attempt).toEqual(stacks);
});

test('a stack that every live replica avoids is taken all the same, by one of them', () => {
  expect(divided('a', { a: { avoids: stacks } }).attempt).toEqual(stacks);
  const live = { a: { avoids: stacks }, b: { avoids: stacks } };
  const taken = Object.keys(live).map((self) => divided(self, live).attempt);
  expect(taken.flat().sort()).toEqual([...stacks].sort());
});

test('of two replicas that wait for the same lock, one gives up; and neither waits for what another one has', () => {
  const [stack = ''] = stacks;
  const live = { a: { awaits: [stack] }, b: { awaits: [stack] } };
  const loser = preferredFor(stack, ['a', 'b']) === 'a' ? 'b' : 'a';
  expect(['a', 'b'].filter((self) => divided(self, live).release.length > 0)).toEqual([loser]);
  expect(divided('a', { a: { awaits: [stack] }, b: { holds: [stack] } }).release).toEqual([stack]);
});

test('what a silent replica has is waited for by the others, and nobody gives anything back because of that', () => {
  const live = {
    a: { holds: stacks.slice(0, 14) },
    b: { holds: stacks.slice(14, 27) },
    c: { holds: stacks.slice(27) },
  };
  const [ofA, ofB] = ['a', 'b'].map((self) => divided(self, live, { silent: ['c'] }));
  expect([...(ofA?.attempt ?? []), ...(ofB?.attempt ?? [])].sort()).toEqual([...live.c.holds].sort());
  expect([ofA?.release, ofB?.release]).toEqual([[], []]);
  const meanwhile = { ...live, a: { ...live.a, awaits: ofA?.attempt ?? [] }, d: {} };
  expect(divided('a', meanwhile, { silent: ['c'] }).release).toEqual([]);
});

test('when a silent replica speaks again, the others stop waiting for what it has, and keep what they have', () => {
  const live = {
    a: { holds: stacks.slice(0, 13), awaits: stacks.slice(26, 32) },
    b: { holds: stacks.slice(13, 26), awaits: stacks.slice(32, 38) },
    c: { holds: stacks.slice(26, 38) },
  };
  expect([divided('a', live).release, divided('b', live).release]).toEqual([live.a.awaits, live.b.awaits]);
});

test('a replica hands over what it has, not what it has begun to wait for', () => {
  const live = { a: { holds: stacks.slice(0, 10), awaits: stacks.slice(10, 25) }, b: { holds: stacks.slice(25) } };
  const { release } = divided('a', live);
  expect(release).toHaveLength(5);
  expect(live.a.holds).toEqual(expect.arrayContaining([...release]));
});
