/* What two copies of a stack create at the same time is there twice: the one that lists last sees it. */
import { describe, expect, test } from 'vitest';
import { duplicatesMade } from '../../src/apply/duplicates-made.ts';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { kinds } from '../../src/kinds/index.ts';
import { harness, type Harness } from '../support/harness.ts';

const resource = (kind: string, name: string, spec: string) => `apiVersion: sluice/v1
kind: ${kind}
metadata: {name: ${name}}
spec: ${spec}
---
`;
const address = resource('ReservedAddr', 'devices', '{region: eu}');
const ingress = resource('AgentIngress', 'agents', '{domain: agents.example.com}');
const edge = (hostports: string) => resource('HTTPSEdge', 'shop', `{hostports: [${hostports}]}`);

/** The other copy creates the same as this one, or something else, right after it. */
function beside(walk: Harness, copies = 1, change: (body: string) => string = (body) => body): void {
  walk.emulator.intercept(async (exchange, next) => {
    const answer = await next();
    if (exchange.method !== 'POST' || exchange.headers['authorization'] === 'Bearer copy') return answer;
    const body = change(exchange.body.replace(/\\"n\\":\\"\w+\\"/, '\\"n\\":\\"0123456789ab\\"'));
    for (let copy = 0; copy < copies; copy++)
      await walk.emulator.handle({
        method: 'POST',
        path: exchange.path,
        headers: { authorization: 'Bearer copy', 'example-version': '2', 'content-type': 'application/json' },
        body,
      });
    return answer;
  });
}

async function duplicates(walk: Harness, text: string, options: Parameters<Harness['apply']>[1] = {}) {
  const { plan } = await walk.plan({ 'stack.yaml': text });
  return (await walk.apply(plan, options)).duplicates;
}

function idsOf({ emulator }: Harness): string[] {
  return emulator.snapshot().resources.map(({ id }) => id);
}

describe('what another copy of the stack has created too', () => {
  test('is reported with the ids of all that it has', async () => {
    const walk = harness();
    beside(walk, 2);
    const reported = await duplicates(walk, address);
    const [id, ...others] = idsOf(walk);
    const otherIds = expect.arrayContaining(others) as string[];
    expect(others).toHaveLength(2);
    expect(reported).toEqual([{ address: 'ReservedAddr/devices', kind: 'ReservedAddr', id, otherIds }]);
  });

  test('is reported once, though its list shows it on two pages', async () => {
    const walk = harness();
    beside(walk);
    const { plan } = await walk.plan({ 'stack.yaml': address });
    walk.emulator.intercept(faulty(parseFault('item-twice@GET:ReservedAddr:0')));
    const [{ otherIds } = { otherIds: [] }] = (await walk.apply(plan)).duplicates;
    expect(otherIds).toEqual(idsOf(walk).slice(1));
  });

  test('is reported for each kind, though the list of another fails', async () => {
    const walk = harness();
    beside(walk);
    const audit = resource('EventSubscription', 'audit', '{sources: [{type: a.v0}]}');
    const { plan } = await walk.plan({ 'stack.yaml': address + audit });
    walk.emulator.intercept(faulty(parseFault('status-before=400@GET:EventSubscription:0')));
    expect((await walk.apply(plan)).duplicates).toMatchObject([{ address: 'ReservedAddr/devices' }]);
  });

  test('is not looked for by a run that was interrupted: it sends nothing more', async () => {
    const walk = harness();
    beside(walk);
    const stop = new AbortController();
    const onEvent = (): void => stop.abort();
    expect(await duplicates(walk, address, { signal: stop.signal, onEvent })).toEqual([]);
    expect(idsOf(walk)).toHaveLength(2);
  });
});

test('no other page is asked for once the results cannot be saved, or the lock is lost', async () => {
  const kind = kinds.named('ReservedAddr')!;
  const marker = { s: 'prod/1', a: 'ReservedAddr/devices', p: '', n: '0123' };
  let asked = 0;
  let mayGoOn = true;
  async function* pages() {
    while (asked < 3) {
      asked += 1;
      yield await Promise.resolve([]);
      mayGoOn = false;
    }
  }
  const made = [{ address: 'ReservedAddr/devices', kind, id: 'ra_1', marker, spec: {} }];
  const found = await duplicatesMade(made, {
    client: { pages },
    profile: 'completed',
    isKnown: () => false,
    mayGoOn: () => mayGoOn,
  });
  expect([found, asked]).toEqual([[], 2]);
});

describe('no duplicate', () => {
  test('is what was there before', async () => {
    const walk = harness();
    beside(walk);
    const { plan } = await walk.plan({ 'stack.yaml': address });
    const seen = { has: (id: string) => id === idsOf(walk)[1] } as ReadonlySet<string>;
    expect((await walk.apply(plan, { seen })).duplicates).toEqual([]);
  });

  test('is what has the marker of another address, or none', async () => {
    const walk = harness();
    beside(walk, 1, (body) => body.replace('ReservedAddr/devices', 'ReservedAddr/meters'));
    expect(await duplicates(walk, address)).toEqual([]);
    const other = harness();
    beside(other, 1, () => '{}');
    expect(await duplicates(other, address)).toEqual([]);
    expect(idsOf(other)).toHaveLength(2);
  });

  test.each([
    ['of an edge with a hostport, which the service gives once', edge('shop.example.com:443'), 0],
    ['of an ingress with a domain, which the service gives once', ingress, 0],
    ['of an edge without a hostport', edge(''), 1],
  ])('is looked for only where there may be one: %s', async (_, text, lists) => {
    const walk = harness();
    const { plan } = await walk.plan({ 'stack.yaml': text });
    const before = walk.emulator.log.length;
    await walk.apply(plan);
    const asked = walk.emulator.log.slice(before).filter(({ method }) => method === 'GET');
    expect(asked).toHaveLength(lists);
  });
});
