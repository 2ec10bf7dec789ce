import { describe, expect, test } from 'vitest';
import { clientOf } from '../support/client-of.ts';
import { createRetry } from '../../src/api/retry.ts';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import type { ChangeOutcome } from '../../src/model/outcome.ts';
import { harness, type Harness } from '../support/harness.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const address = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: devices}
lifecycle: {protect: false}
spec: {region: eu}
`;
const edge = (modules: string) => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes: [{name: all, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}${modules}}]
`;
const compressed = edge(', compression: {}');
const plainEdge = edge('');
const portal = '<html>Sign in to continue</html>';
const page = '{"login": "https://portal.example.net"}';

interface Answered {
  /** How the change that deletes ended. */
  readonly change: ChangeOutcome | undefined;
  /** What was sent from the deletion on, by method. */
  readonly sent: readonly string[];
  /** How long it took by the clock, in seconds. */
  readonly seconds: number;
}

type Service = (path: string, carryOut: () => Promise<unknown>) => Promise<{ status: number; body: string }>;

/** Applies what deletes something, against a service that answers a DELETE in its own way. */
async function deleting(
  walk: Harness,
  from: string,
  to: string,
  service: Service,
  readers: (method: string, at: number) => { status: number; body: string } | undefined = () => undefined,
): Promise<Answered> {
  await walk.converge({ 'stack.yaml': from });
  const { plan } = await walk.plan({ 'stack.yaml': to });
  const clock = virtualClock();
  const sent: string[] = [];
  const stop = walk.emulator.intercept(async ({ method, path }, next) => {
    if (method === 'DELETE' || sent.length > 0) sent.push(method);
    if (method === 'DELETE') return { headers: {}, ...(await service(path, next)) };
    const given = readers(method, clock.now());
    return given === undefined ? next() : { headers: {}, ...given };
  });
  const client = clientOf(walk.emulator.dispatcher(), { repeat: createRetry({ clock }) });
  const { changes } = await clock.run(walk.apply(plan, { client, clock }));
  stop();
  return { change: changes[0], sent, seconds: clock.now() / 1000 };
}

const idOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

describe('a DELETE that the service carries out is done', () => {
  test.each<[string, (path: string) => string]>([
    ['nothing', () => ''],
    ['the resource', (path) => JSON.stringify({ id: idOf(path), region: 'eu' })],
  ])('at once, where it answers 200 with %s', async (_, body) => {
    const answered = await deleting(harness(), address, '', async (path, carryOut) => {
      await carryOut();
      return { status: 200, body: body(path) };
    });
    expect(answered).toMatchObject({ change: { ending: 'done' }, sent: ['DELETE'] });
  });

  test.each(['{}', '{"deleted": true}', 'OK', '[]', '"gone"'])(
    'after one read, where it answers 200 with something else: %s',
    async (body) => {
      const walk = harness();
      const answered = await deleting(walk, address, '', async (_, carryOut) => {
        await carryOut();
        return { status: 200, body };
      });
      expect(answered).toMatchObject({ change: { ending: 'done' }, sent: ['DELETE', 'GET'] });
      expect(walk.state()?.entries).toEqual({});
    },
  );

  test.each([200, 202])('also that of a module, which has no id to show (%i)', async (status) => {
    const answered = await deleting(harness(), compressed, plainEdge, async (_, carryOut) => {
      await carryOut();
      return { status, body: '{"enabled": true}' };
    });
    expect(answered.change?.ending).toBe('done');
    expect(answered.sent.filter((method) => method === 'DELETE')).toHaveLength(1);
  });

  test.each([address, compressed])('by and by, where it answers 202 and takes ten seconds', async (from) => {
    const walk = harness();
    let late: () => Promise<unknown> = () => Promise.resolve();
    const answered = await deleting(
      walk,
      from,
      from === address ? '' : plainEdge,
      (_, carryOut) => {
        late = carryOut;
        return Promise.resolve({ status: 202, body: '{}' });
      },
      (_, at) => {
        if (at >= 10_000) void late();
        return undefined;
      },
    );
    expect(answered.change?.ending).toBe('done');
    expect(answered.sent.filter((method) => method !== 'GET')).toEqual(['DELETE']);
    expect(answered.seconds).toBeGreaterThanOrEqual(10);
    expect(answered.seconds).toBeLessThanOrEqual(30);
  });
});

describe('a DELETE that something before the service answers with 404', () => {
  const notHere = (): Promise<{ status: number; body: string }> => Promise.resolve({ status: 404, body: portal });

  test('is refused where a read finds the resource', async () => {
    const walk = harness();
    const answered = await deleting(walk, address, '', notHere);
    expect(answered).toMatchObject({ change: { ending: 'failed', status: 404 }, sent: ['DELETE', 'GET'] });
    expect(answered.change?.message).toContain('Sign in to continue');
    expect(walk.state()?.entries).toHaveProperty(['ReservedAddr/devices']);
    await walk.converge({ 'stack.yaml': '' });
  });

  test('is refused where it answers the reads too', async () => {
    const walk = harness();
    const answered = await deleting(walk, address, '', notHere, () => ({ status: 404, body: portal }));
    expect(answered).toMatchObject({ change: { ending: 'failed', status: 404 }, sent: ['DELETE', 'GET'] });
    expect(walk.state()?.entries).toHaveProperty(['ReservedAddr/devices']);
  });

  test('of a module is refused where the route still has it', async () => {
    const { change } = await deleting(harness(), compressed, plainEdge, notHere);
    expect(change).toMatchObject({ ending: 'failed' });
    expect(change?.message).toContain('Sign in to continue');
  });

  test('is done where the service says that the resource does not exist', async () => {
    const answered = await deleting(harness(), address, '', async (_, carryOut) => {
      await carryOut();
      return notHere();
    });
    expect(answered).toMatchObject({ change: { ending: 'done' }, sent: ['DELETE', 'GET'] });
  });
});

describe('a DELETE that the service does not carry out', () => {
  test.each([
    [202, '{}'],
    [202, ''],
    [200, '{}'],
    [200, page],
    [200, portal],
    [201, ''],
  ])('is unknown after 30 s of reading, and sent once: %i %s', async (status, body) => {
    const walk = harness();
    const answered = await deleting(walk, address, '', () => Promise.resolve({ status, body }));
    expect(answered.change).toMatchObject({ ending: 'unknown', code: 'AMBIGUOUS_RESPONSE' });
    expect(answered.change?.message).toContain('but ReservedAddr/devices still exists');
    expect(answered.sent.filter((method) => method === 'DELETE')).toHaveLength(1);
    expect(answered.seconds).toBe(30);
    // After 0, 0.5, 1.5, 3.5 and 7.5 s, then every 5 s, and at the end.
    expect(answered.sent.filter((method) => method === 'GET')).toHaveLength(10);
    // The next run deletes it.
    await walk.converge({ 'stack.yaml': '' });
  });

  test('reports which module still exists', async () => {
    const answered = await deleting(harness(), compressed, plainEdge, () => Promise.resolve({ status: 202, body: '' }));
    expect(answered.change?.message).toContain('the module `compression` of HTTPSEdgeRoute/shop:all still exists');
  });

  test('is unknown where a portal answers the reads too', async () => {
    const answered = await deleting(
      harness(),
      address,
      '',
      () => Promise.resolve({ status: 200, body: page }),
      () => ({ status: 200, body: page }),
    );
    expect(answered.change).toMatchObject({ ending: 'unknown', code: 'OUTCOME_NOT_VERIFIED' });
    expect(answered.sent).toEqual(['DELETE', 'GET']);
  });

  test('is unknown at once where the run is interrupted', async () => {
    const walk = harness();
    await walk.converge({ 'stack.yaml': address });
    const stop = new AbortController();
    walk.emulator.intercept(({ method }, next) => {
      if (method !== 'DELETE') return next();
      stop.abort();
      return { status: 202, headers: {}, body: '' };
    });
    const clock = virtualClock();
    const { plan } = await walk.plan({ 'stack.yaml': '' });
    const before = walk.emulator.log.length;
    const { changes } = await clock.run(walk.apply(plan, { clock, signal: stop.signal }));
    expect(changes).toMatchObject([{ ending: 'unknown' }]);
    expect(clock.now()).toBe(0);
    expect(walk.emulator.log.slice(before).map(({ method }) => method)).toEqual(['DELETE']);
  });
});

test('what is deleted with an edge is not deleted where the service refuses the deletion of the edge', async () => {
  const loose = (text: string): string => text.replace('spec:', 'lifecycle: {protect: false}\nspec:');
  const walk = harness();
  await walk.converge({ 'stack.yaml': loose(plainEdge) });
  const { plan } = await walk.plan({ 'stack.yaml': '' });
  walk.emulator.intercept(faulty(parseFault('status-before=400@DELETE:HTTPSEdge:0')));
  const { changes } = await walk.apply(plan);
  expect(Object.fromEntries(changes.map(({ address: of, ending }) => [of, ending]))).toEqual({
    'HTTPSEdge/shop': 'failed',
    'HTTPSEdgeRoute/shop:all': 'failed',
  });
});

test.each([404, 405])(
  'a route that its edge still shows is not deleted, whatever the response to its DELETE: %i',
  async (status) => {
    const loose = (text: string): string => text.replace('spec:', 'lifecycle: {protect: false}\nspec:');
    const walk = harness();
    await walk.converge({ 'stack.yaml': loose(plainEdge) });
    const without = loose(plainEdge).replace(/routes: .*/, 'routes: []');
    const { plan } = await walk.plan({ 'stack.yaml': without });
    walk.emulator.intercept(({ method }, next) =>
      method === 'DELETE' ? { status, headers: {}, body: '{"error_code": "NONE", "msg": "none"}' } : next(),
    );
    expect((await walk.apply(plan)).changes).toMatchObject([
      { address: 'HTTPSEdgeRoute/shop:all', ending: 'failed', code: 'OPERATION_NOT_SUPPORTED' },
    ]);
    expect(walk.state()?.entries).toHaveProperty(['HTTPSEdgeRoute/shop:all']);
  },
);

test('an address that is still there is not deleted where the service answers 405', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': address });
  const { plan } = await walk.plan({ 'stack.yaml': '' });
  walk.emulator.intercept(({ method }, next) =>
    method === 'DELETE' ? { status: 405, headers: {}, body: '{"error_code": "NONE", "msg": "none"}' } : next(),
  );
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'failed', status: 405 }]);
  expect(walk.state()?.entries).toHaveProperty(['ReservedAddr/devices']);
});

test('a route whose edge cannot be read after a 404 is not deleted for all that is known', async () => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': plainEdge });
  const { plan } = await walk.plan({ 'stack.yaml': plainEdge.replace(/routes: .*/, 'routes: []') });
  walk.emulator.intercept(({ method }, next) =>
    method === 'DELETE' || method === 'GET'
      ? { status: method === 'GET' ? 400 : 404, headers: {}, body: '{"error_code": "NONE", "msg": "none"}' }
      : next(),
  );
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'failed', status: 400 }]);
  expect(walk.state()?.entries).toHaveProperty(['HTTPSEdgeRoute/shop:all']);
});

test.each([
  ['takes as long as asked', 0, 10],
  ['takes ten seconds longer', 10_000, 4],
])('reading ends after 30 s by the clock, where each wait %s', async (_, longer, reads) => {
  const walk = harness();
  await walk.converge({ 'stack.yaml': address });
  const { plan } = await walk.plan({ 'stack.yaml': '' });
  const before = walk.emulator.log.length;
  walk.emulator.intercept(({ method }, next) =>
    method === 'DELETE' ? { status: 202, headers: {}, body: '' } : next(),
  );
  let now = 1_000_000;
  const sleep = (ms: number) => Promise.resolve(void (now += ms + longer));
  const { changes } = await walk.apply(plan, { clock: { now: () => now, random: () => 0.5, sleep } });
  expect(changes).toMatchObject([{ ending: 'unknown', code: 'AMBIGUOUS_RESPONSE' }]);
  expect(walk.emulator.log.slice(before).filter(({ method }) => method === 'GET')).toHaveLength(reads);
});
