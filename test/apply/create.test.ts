import { describe, expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { resolvedState } from '../../src/state/resolved.ts';
import { atOnce } from '../../src/model/sliced.ts';
import { selectApplicable } from '../../src/watch/decide/select-applicable.ts';
import { asSomebody } from '../support/as-somebody.ts';
import { harness, type Harness } from '../support/harness.ts';
import { afterChange } from '../support/selection.ts';

const address = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: devices}
spec: {region: eu}
`;
const edge = (spec: string) => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec: ${spec}
`;
const reachable = edge('{hostports: [shop.example.com:443]}');
const unreachable = edge('{description: For later}');

const listing = {
  method: 'GET',
  path: '/reserved_addrs',
  headers: { authorization: 'Bearer other', 'example-version': '2' },
  body: '',
} as const;

async function applied(walk: Harness, text: string, seen?: ReadonlySet<string>): Promise<Outcome> {
  const { plan } = await walk.plan({ 'stack.yaml': text });
  return walk.apply(plan, seen === undefined ? {} : { seen });
}

function withFault(walk: Harness, fault: string): () => void {
  return walk.emulator.intercept(faulty(parseFault(fault)));
}

function idsOf({ emulator }: Harness, kind: string): string[] {
  return emulator
    .snapshot()
    .resources.filter((one) => one.kind === kind)
    .map(({ id }) => id);
}

describe('a creation happens once', () => {
  test('a service that wants a day is not waited for: whether it was carried out is for the next run to see', async () => {
    const walk = harness();
    withFault(walk, 'rate-limited=86400@POST:ReservedAddr:1');
    const waits: number[] = [];
    const { plan } = await walk.plan({ 'stack.yaml': address });
    const { changes } = await walk.apply(plan, {
      clock: { now: () => 0, random: () => 0.5, sleep: (ms) => Promise.resolve(void waits.push(ms)) },
    });
    expect(changes).toMatchObject([{ ending: 'unknown', status: 429 }]);
    expect(waits).toEqual([]);
    expect(walk.state()?.intents).toMatchObject({ 'ReservedAddr/devices': { nonces: [expect.any(String)] } });
    await walk.converge({ 'stack.yaml': address });
    expect(idsOf(walk, 'ReservedAddr')).toHaveLength(1);
    expect(walk.state()?.intents).toEqual({});
  });

  test.each([409, 429])(
    'a %i to what was carried out all the same is not made again by the next run',
    async (status) => {
      const walk = harness();
      const settings = 'lifecycle: {protect: false}\nspec:';
      await walk.converge({ 'stack.yaml': address.replace('spec:', settings) });
      const there = { 'stack.yaml': address.replace('spec:', settings).replace('region: eu', 'region: us') };
      const interrupted = new AbortController();
      const withdraw = walk.emulator.intercept(async (exchange, next, world) => {
        if (exchange.method !== 'POST') return next();
        interrupted.abort();
        return faulty(parseFault(`status-after=${status}@POST:ReservedAddr:1`))(exchange, next, world);
      });
      const { changes } = await walk.apply((await walk.plan(there)).plan, { signal: interrupted.signal });
      expect(changes).toMatchObject([{ ending: 'unknown', status }]);
      withdraw();
      const [, made] = idsOf(walk, 'ReservedAddr');
      const { plan } = await walk.converge(there);
      expect(plan.steps.map(({ request }) => request.method)).toEqual(['DELETE']);
      expect(idsOf(walk, 'ReservedAddr')).toEqual([made]);
    },
  );

  test.each([409, 429])(
    'a %i to what was carried out all the same is found before it is sent again',
    async (status) => {
      const walk = harness();
      withFault(walk, `status-after=${status}@POST:ReservedAddr:1`);
      expect(await applied(walk, address)).toMatchObject({ changes: [{ ending: 'done' }], requests: 1 });
      expect(idsOf(walk, 'ReservedAddr')).toHaveLength(1);
    },
  );

  test.each([
    ['1', 20],
    ['30', 5],
    ['absent', 13],
  ])('what is refused with Retry-After %s is sent for two minutes, at most 20 times', async (after, times) => {
    const walk = harness();
    withFault(walk, `rate-limited=${after}@POST:ReservedAddr:0`);
    let [sent, waited] = [0, 0];
    walk.emulator.intercept(({ method }, next) => {
      sent += method === 'POST' ? 1 : 0;
      return next();
    });
    const { plan } = await walk.plan({ 'stack.yaml': address });
    const { changes } = await walk.apply(plan, {
      lookUpDelayMs: 0,
      clock: { now: () => 0, random: () => 0.5, sleep: (ms) => Promise.resolve(void (waited += ms)) },
    });
    expect(changes).toMatchObject([{ ending: 'unknown', status: 429 }]);
    expect(sent).toBe(times);
    expect(waited).toBeLessThanOrEqual(120_000);
  });

  test("an answer with another's id is no answer: what was made is looked for", async () => {
    const walk = harness();
    await asSomebody(walk, 'POST', '/reserved_addrs', {});
    const [theirs = ''] = idsOf(walk, 'ReservedAddr');
    withFault(walk, 'other-id@POST:ReservedAddr:1');
    const { changes } = await applied(walk, address, new Set([theirs]));
    expect(changes).toMatchObject([{ ending: 'done' }]);
    expect(idsOf(walk, 'ReservedAddr')).toEqual([theirs, walk.state()?.entries['ReservedAddr/devices']?.id]);
  });

  test('a refusal does not say what came of an earlier try: what is meant stays until it is looked up', async () => {
    const walk = harness();
    withFault(walk, 'late-commit=list+4@POST:ReservedAddr:1');
    withFault(walk, 'status-before=400@POST:ReservedAddr:2');
    expect((await applied(walk, address)).changes).toMatchObject([{ ending: 'failed', status: 400 }]);
    const [intent] = Object.values(walk.state()?.intents ?? {});
    expect(intent?.nonces).toHaveLength(1);
    await walk.emulator.handle(listing);
    await walk.converge({ 'stack.yaml': address });
    expect(idsOf(walk, 'ReservedAddr')).toEqual([walk.state()?.entries['ReservedAddr/devices']?.id]);
    expect(walk.state()?.intents).toEqual({});
  });

  test.each(['status-before=403', 'status-before=400', 'next-itself'])(
    'what cannot be looked for (%s) has not failed: nobody knows',
    async (fault) => {
      const walk = harness();
      const { plan } = await walk.plan({ 'stack.yaml': address });
      withFault(walk, 'reset-after@POST:ReservedAddr:1');
      const withdraw = withFault(walk, `${fault}@GET:ReservedAddr:0`);
      const { changes } = await walk.apply(plan);
      expect(changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_NOT_VERIFIED' }]);
      withdraw();
      await walk.converge({ 'stack.yaml': address });
      expect(idsOf(walk, 'ReservedAddr')).toHaveLength(1);
    },
  );

  test('a refusal because the first try stands in the way is no failure', async () => {
    const walk = harness();
    withFault(walk, 'late-commit=list+2@POST:HTTPSEdge:1');
    expect((await applied(walk, reachable)).changes).toMatchObject([{ ending: 'done' }]);
    expect(idsOf(walk, 'HTTPSEdge')).toEqual([walk.state()?.entries['HTTPSEdge/shop']?.id]);
  });

  test.each([402, 404, 413])(
    'what a replacement made is not left over when it was answered %i all the same',
    async (status) => {
      const walk = harness();
      const settings = 'lifecycle: {protect: false}\nspec:';
      await walk.converge({ 'stack.yaml': address.replace('spec:', settings) });
      withFault(walk, `status-after=${status}@POST:ReservedAddr:1`);
      const there = address.replace('spec:', settings).replace('region: eu', 'region: us');
      expect((await applied(walk, there)).changes).toMatchObject([{ ending: 'failed', status }]);
      expect(idsOf(walk, 'ReservedAddr')).toHaveLength(2);
      await walk.converge({ 'stack.yaml': there });
      expect(idsOf(walk, 'ReservedAddr')).toEqual([walk.state()?.entries['ReservedAddr/devices']?.id]);
    },
  );

  test('what was answered by a redirect to something else may have been made: it is looked for', async () => {
    const walk = harness();
    withFault(walk, 'status-after=303@POST:ReservedAddr:1');
    expect((await applied(walk, address)).changes).toMatchObject([{ ending: 'done' }]);
    expect(idsOf(walk, 'ReservedAddr')).toEqual([walk.state()?.entries['ReservedAddr/devices']?.id]);
  });

  test('an edge without hostports is shown nowhere where there is no list: it is not made twice', async () => {
    const walk = harness({ profile: 'documented' });
    await walk.converge({ 'stack.yaml': reachable.replace('shop}', 'other}') });
    withFault(walk, 'reset-after@POST:HTTPSEdge:1');
    const { changes } = await applied(walk, `${reachable.replace('shop}', 'other}')}---\n${unreachable}`);
    expect(changes).toMatchObject([{ address: 'HTTPSEdge/shop', ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
    expect(idsOf(walk, 'HTTPSEdge')).toHaveLength(2);
  });
});

describe('what carries no marker', () => {
  const ingress = `apiVersion: sluice/v1
kind: AgentIngress
metadata: {name: agents}
spec: {domain: Agents.example.com, metadata: plain}
`;

  test('is known by what only one may have, when its response was lost', async () => {
    const walk = harness();
    withFault(walk, 'reset-after@POST:AgentIngress:1');
    expect((await applied(walk, ingress)).changes).toMatchObject([{ ending: 'done' }]);
    expect(idsOf(walk, 'AgentIngress')).toEqual([walk.state()?.entries['AgentIngress/agents']?.id]);
  });

  test('and is not sent again where that is not found', async () => {
    const walk = harness();
    withFault(walk, 'reset-before@POST:AgentIngress:1');
    expect((await applied(walk, ingress)).changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
    expect(idsOf(walk, 'AgentIngress')).toEqual([]);
  });

  test('is not taken for what was there before', async () => {
    const walk = harness();
    const route = (match: string) =>
      `${reachable}  routes: [{match_type: path_prefix, match: ${match}, metadata: plain}]\n`.replace(
        'spec: {hostports: [shop.example.com:443]}',
        'spec:\n  hostports: [shop.example.com:443]',
      );
    await walk.converge({ 'stack.yaml': route('/one') });
    withFault(walk, 'reset-after@POST:HTTPSEdgeRoute:1');
    expect((await applied(walk, route('/two'))).changes.map(({ ending }) => ending)).toEqual(['done', 'done']);
    expect(idsOf(walk, 'HTTPSEdgeRoute')).toHaveLength(1);
  });

  test('and has no such thing, is reported as unknown', async () => {
    const walk = harness();
    withFault(walk, 'reset-after@POST:ReservedAddr:1');
    const unmarked = address.replace('region: eu', 'region: eu, metadata: plain');
    expect((await applied(walk, unmarked)).changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
    expect(idsOf(walk, 'ReservedAddr')).toHaveLength(1);
  });

  test('and is refused for a while, is sent again', async () => {
    const walk = harness();
    for (const nth of [1, 2, 3]) withFault(walk, `rate-limited=0@POST:AgentIngress:${nth}`);
    expect((await applied(walk, ingress)).changes).toMatchObject([{ ending: 'done' }]);
  });

  test.each([409, 429])(
    'and was carried out though it was answered %i, is found by what only one may have',
    async (status) => {
      const walk = harness();
      withFault(walk, `status-after=${status}@POST:AgentIngress:1`);
      expect(await applied(walk, ingress)).toMatchObject({ changes: [{ ending: 'done' }], requests: 1 });
      expect(idsOf(walk, 'AgentIngress')).toHaveLength(1);
    },
  );

  describe('and has nothing that only one may have', () => {
    const unmarked = address.replace('region: eu', 'region: eu, metadata: plain');

    test.each([409, 429])('is not sent again where it was carried out though it was answered %i', async (status) => {
      const walk = harness();
      withFault(walk, `status-after=${status}@POST:ReservedAddr:1`);
      expect((await applied(walk, unmarked)).changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
      expect(idsOf(walk, 'ReservedAddr')).toHaveLength(1);
    });

    test.each([409, 429])('is sent again after %i where nothing new is there', async (status) => {
      const walk = harness();
      await walk.converge({ 'stack.yaml': address });
      withFault(walk, `status-before=${status}@POST:ReservedAddr:1`);
      const other = unmarked.replace('devices', 'printers');
      expect((await applied(walk, `${address}---\n${other}`)).changes).toMatchObject([{ ending: 'done' }]);
      expect(idsOf(walk, 'ReservedAddr')).toHaveLength(2);
    });

    test('and is in no list, is not sent again after a refusal', async () => {
      const walk = harness({ profile: 'documented' });
      withFault(walk, 'status-after=429@POST:HTTPSEdge:1');
      const plain = edge('{description: For later, metadata: plain}');
      expect((await applied(walk, plain)).changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
      expect(idsOf(walk, 'HTTPSEdge')).toHaveLength(1);
    });
  });

  test('nor has a list, is not sent again after a refusal, though only one may have its hostport', async () => {
    const walk = harness({ profile: 'documented', service: { hostports: 'shared' } });
    withFault(walk, 'status-after=429@POST:HTTPSEdge:1');
    const plain = edge('{hostports: [shop.example.com:443], metadata: plain}');
    expect((await applied(walk, plain)).changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
    expect(idsOf(walk, 'HTTPSEdge')).toHaveLength(1);
  });

  test('and is refused for as long as anybody waits, may be there: a person reports that before it is sent again', async () => {
    const walk = harness();
    withFault(walk, 'rate-limited=0@POST:AgentIngress:0');
    expect((await applied(walk, ingress)).changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
    expect(Object.keys(walk.state()?.intents ?? {})).toEqual(['AgentIngress/agents']);
  });
});

describe('what a run did not live to hear', () => {
  const intended = {
    format: 1,
    lineage: '7f3a9c21',
    serial: 1,
    account: 'http://127.0.0.1',
    salt: 'salt of the tests',
    entries: {},
    intents: { 'HTTPSEdge/shop': { kind: 'HTTPSEdge', nonces: ['0123456789ab'] } },
  } as const;

  const hidden = { profile: 'documented', service: { edgeEndpoints: 'hidden' }, state: intended } as const;

  test('where the service cannot tell, it is reported by every run, and sent by none, until a person reports that it is not there', async () => {
    const walk = harness(hidden);
    for (let run = 0; run < 3; run++) {
      const { changes, requests } = await applied(walk, reachable);
      expect(changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
      expect(requests).toBe(0);
      expect(changes[0]?.message).toContain('`sluice state resolve HTTPSEdge/shop --id ID`');
    }
    expect(idsOf(walk, 'HTTPSEdge')).toEqual([]);
    const { plan } = await walk.plan({ 'stack.yaml': reachable });
    expect(plan.unresolved).toEqual([{ address: 'HTTPSEdge/shop', kind: 'HTTPSEdge' }]);

    const resolved = resolvedState(walk.state() ?? intended, 'HTTPSEdge/shop') ?? intended;
    await harness({ ...hidden, emulator: walk.emulator, state: resolved }).converge({ 'stack.yaml': reachable });
    expect(idsOf(walk, 'HTTPSEdge')).toHaveLength(1);
  });

  test('stays unresolved beside a resource that is there under its address', async () => {
    const walk = harness({ profile: 'documented', service: { edgeEndpoints: 'hidden' } });
    await walk.converge({ 'stack.yaml': reachable });
    const state = { ...(walk.state() ?? intended), intents: intended.intents };
    const again = harness({ ...hidden, emulator: walk.emulator, state });
    for (let run = 0; run < 2; run++) {
      const { changes, unresolved } = await applied(again, reachable);
      expect(changes).toEqual([]);
      expect(unresolved).toMatchObject([{ address: 'HTTPSEdge/shop' }]);
    }
  });

  test('is watched as a change that a person must resolve, and is not sent', async () => {
    const walk = harness(hidden);
    const { plan: full, input } = await walk.plan({ 'stack.yaml': reachable });
    const selection = selectApplicable(full, input, afterChange());
    const pending = [{ address: 'HTTPSEdge/shop', action: 'create', reason: 'unresolved' }];
    expect(atOnce(selection)).toMatchObject({ plan: { steps: [] }, pending });
  });

  test('inside something that only it names is looked for there', async () => {
    const walk = harness({ profile: 'documented', service: { edgeEndpoints: 'hidden' } });
    const { account } = await walk.converge({
      'stack.yaml': `${reachable.replace('spec: {', 'spec:\n  ').replace(']}', ']')}  routes: [{match_type: path_prefix, match: /, name: all}]\n`,
    });
    const route = account.ours.get('HTTPSEdgeRoute/shop:all');
    const kind = 'HTTPSEdgeRoute';
    const lost = { kind, parent: route?.parent ?? '', nonces: [route?.marker?.n ?? ''] };
    const state = { ...intended, intents: { 'HTTPSEdgeRoute/shop:all': lost } };
    const again = harness({ ...hidden, emulator: walk.emulator, state });
    const { plan } = await again.plan({ 'stack.yaml': address });
    const planned = plan.changes.map(({ address: one, action, id }) => ({ address: one, action, id }));
    expect(planned).toContainEqual({ address: 'HTTPSEdgeRoute/shop:all', action: 'delete', id: route?.id });
    await again.apply(plan);
    expect(again.state()?.intents).toEqual({});
    expect(idsOf(again, kind)).toEqual([]);
  });

  test('nor is what carries no marker sent again', async () => {
    const walk = harness({
      state: { ...intended, intents: { 'ReservedAddr/devices': { kind: 'ReservedAddr', nonces: ['0123456789ab'] } } },
    });
    const unmarked = address.replace('region: eu', 'region: eu, metadata: plain');
    expect((await applied(walk, unmarked)).changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
    expect(idsOf(walk, 'ReservedAddr')).toEqual([]);
  });

  test('is not sent where the look for it fails, and not counted as sent', async () => {
    const walk = harness({ state: intended });
    const { plan } = await walk.plan({ 'stack.yaml': reachable });
    withFault(walk, 'status-before=500@GET:*:0');
    const { changes, requests } = await walk.apply(plan);
    expect(changes).toMatchObject([{ ending: 'unknown', status: 500 }]);
    expect(requests).toBe(0);
    expect(idsOf(walk, 'HTTPSEdge')).toEqual([]);
  });

  test('it is made where the service can tell that it is not there', async () => {
    const walk = harness({ state: intended });
    expect((await applied(walk, reachable)).changes).toMatchObject([{ ending: 'done' }]);
  });
});
