import { describe, expect, test } from 'vitest';
import { refusalAnswer, Refusal, type Answer } from '../../src/emulator/answer.ts';
import type { Exchange } from '../../src/emulator/http/exchange.ts';
import { isEmptyPlan } from '../../src/model/plan/plan.ts';
import type { ChangeOutcome, Outcome } from '../../src/model/outcome.ts';
import type { State } from '../../src/model/state.ts';
import { planOf } from '../plan/support.ts';
import { asSomebody } from '../support/as-somebody.ts';
import { harness, type Harness } from '../support/harness.ts';

const subscription = (name: string, description = 'one') => `apiVersion: sluice/v1
kind: EventSubscription
metadata: {name: ${name}}
spec: {description: ${description}, sources: [{type: a.v0}]}
`;
const shop = (routes: string, more = '') => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
${more}  routes:
${routes}`;
const route = (match: string, more = '') =>
  `    - {match_type: path_prefix, match: ${match}, backend: {backend_id: bkd_app}${more}}\n`;
const files = (...documents: readonly string[]) => ({ 'stack.yaml': documents.join('---\n') });

// Answers the requests that fit with a refusal instead of doing them.
function refusing(walk: Harness, fits: (exchange: Exchange) => boolean, status: number): () => void {
  return walk.emulator.intercept((exchange, next) =>
    fits(exchange) ? refusalAnswer(new Refusal(status, undefined, 'not this time'), 'op_1') : next(),
  );
}

// How changes ended, a line each.
function endings({ changes }: Outcome): string[] {
  return changes.map(({ address, ending, failedDependency: failed, code = '' }) =>
    [address, ending, ...(failed === undefined ? [] : [`for ${failed}`]), code].join(' ').trimEnd(),
  );
}

function outcomeOf({ changes }: Outcome, address: string): ChangeOutcome | undefined {
  return changes.find((change) => change.address === address);
}

function written({ emulator }: Harness): string[] {
  return emulator.log
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path.replaceAll(/\w+_\w{27}/g, 'ID')}`);
}

describe('a failure in the middle (law 10)', () => {
  test('is reported, what waits for it is skipped, and all else is done and remembered', async () => {
    const walk = harness();
    refusing(walk, ({ method, path }) => method === 'POST' && path === '/edges/https', 400);
    const { plan } = await walk.plan(files(subscription('audit'), shop(route('/'))));
    const outcome = await walk.apply(plan);
    expect(endings(outcome)).toEqual([
      'EventSubscription/audit done',
      'HTTPSEdge/shop failed API_REFUSED',
      'HTTPSEdgeRoute/shop:/ skipped for HTTPSEdge/shop',
    ]);
    expect(outcomeOf(outcome, 'HTTPSEdge/shop')).toMatchObject({
      status: 400,
      message: expect.stringContaining('not this time') as string,
    });
    expect(Object.keys(walk.state()?.entries ?? {})).toEqual(['EventSubscription/audit']);
  });

  test('that may have happened all the same is unknown', async () => {
    const walk = harness();
    await walk.converge(files(subscription('audit')));
    refusing(walk, ({ method }) => method === 'PATCH', 500);
    const { plan } = await walk.plan(files(subscription('audit', 'two')));
    expect(endings(await walk.apply(plan))[0]).toMatch(/^EventSubscription\/audit unknown/);
  });

  test('of a second request is a failure of the change, and the next run finishes it', async () => {
    const walk = harness();
    await walk.converge(files(shop(route('/', ', compression: {}'))));
    const mend = refusing(walk, ({ method, path }) => method === 'DELETE' && path.endsWith('/compression'), 400);
    const { plan } = await walk.plan(files(shop(route('/', ', ip_restriction: {ip_policy_ids: [ipp_a]}'))));
    expect(endings(await walk.apply(plan))).toEqual(['HTTPSEdgeRoute/shop:/ failed API_REFUSED']);
    mend();
    await walk.converge(files(shop(route('/', ', ip_restriction: {ip_policy_ids: [ipp_a]}'))));
  });

  test('401 and 403 end the run: nothing more is started', async () => {
    const walk = harness();
    refusing(walk, ({ body }) => body.includes('two'), 401);
    const wanted = files(subscription('a'), subscription('b', 'two'), subscription('c'), subscription('d'));
    const outcome = await walk.apply((await walk.plan(wanted)).plan, { parallelism: 1 });
    expect(endings(outcome)).toEqual([
      'EventSubscription/a done',
      'EventSubscription/b failed ACCESS_DENIED',
      'EventSubscription/c not-started',
      'EventSubscription/d not-started',
    ]);
    expect(outcome.requests).toBe(2);
  });
});

describe('an interruption', () => {
  test('lets end what runs and starts nothing more', async () => {
    const walk = harness();
    const stop = new AbortController();
    const { plan } = await walk.plan(files(subscription('a'), subscription('b')));
    const outcome = await walk.apply(plan, {
      parallelism: 1,
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === 'started') stop.abort();
      },
    });
    expect(outcome.interrupted).toBe(true);
    expect(endings(outcome)).toEqual(['EventSubscription/a done', 'EventSubscription/b not-started']);
    expect(Object.keys(walk.state()?.entries ?? {})).toEqual(['EventSubscription/a']);
  });

  test.each([
    ['a creation', 429, 1],
    ['an update whose response was lost', 503, 0],
  ])('ends the wait before %s is sent again', async (what, status, intents) => {
    const walk = harness();
    if (what !== 'a creation') await walk.converge(files(subscription('a')));
    const before = walk.emulator.count();
    walk.emulator.intercept(({ method }, next) =>
      method === 'GET' ? next() : { status, headers: { 'retry-after': '60' }, body: '{}' },
    );
    const stop = new AbortController();
    const slept: number[] = [];
    const { plan } = await walk.plan(files(subscription('a', 'two')));
    const looked = walk.emulator.count();
    const { changes } = await walk.apply(plan, {
      signal: stop.signal,
      clock: {
        now: () => 0,
        random: () => 0.5,
        sleep: (ms, signal) => {
          slept.push(ms);
          stop.abort();
          return signal?.aborted === true ? Promise.reject(new Error('aborted')) : Promise.resolve();
        },
      },
    });
    expect(changes).toMatchObject([{ ending: 'unknown' }]);
    expect(slept).toEqual([60_000]);
    expect(walk.emulator.count() - looked).toBe(1);
    expect(looked).toBeGreaterThan(before);
    expect(Object.keys(walk.state()?.intents ?? {})).toHaveLength(intents);
  });
});

test('a service that wants an hour before an update is sent again is not waited for', async () => {
  const walk = harness();
  await walk.converge(files(subscription('a')));
  walk.emulator.intercept(({ method }, next) =>
    method === 'PATCH' ? { status: 503, headers: { 'retry-after': '3600' }, body: '{}' } : next(),
  );
  const { plan } = await walk.plan(files(subscription('a', 'two')));
  const slept: number[] = [];
  const clock = { now: () => 0, random: () => 0.5, sleep: (ms: number) => Promise.resolve(void slept.push(ms)) };
  const { changes } = await walk.apply(plan, { clock });
  expect(changes).toMatchObject([{ ending: 'unknown', status: 503 }]);
  expect(slept).toEqual([]);
});

describe('what is not found', () => {
  // Runs a change while somebody else has the answer to some requests.
  async function changed(
    before: string,
    after: string,
    odd: (exchange: Exchange) => number | undefined,
    meddle?: (walk: Harness) => Promise<void>,
  ) {
    const walk = harness();
    await walk.converge(files(before));
    const { plan } = await walk.plan(files(after));
    await meddle?.(walk);
    const already = walk.emulator.log.length;
    walk.emulator.intercept((exchange, next): Answer | Promise<Answer> => {
      const status = odd(exchange);
      return status === undefined ? next() : refusalAnswer(new Refusal(status, undefined, 'not here'), 'op_1');
    });
    const outcome = await walk.apply(plan);
    return {
      walk,
      outcome,
      asked: walk.emulator.log
        .slice(already)
        .map(({ method, path }) => `${method} ${path.replaceAll(/\w+_\w{27}/g, 'ID')}`),
    };
  }
  const remove = async (walk: Harness, kind: string, path: (id: string, parent: string) => string): Promise<void> => {
    const found = walk.emulator.snapshot().resources.find((one) => one.kind === kind);
    await asSomebody(walk, 'DELETE', path(found?.id ?? '', found?.parent ?? ''));
  };
  const nothing = 'apiVersion: sluice/v1\nkind: External\nmetadata: {name: x}\nspec: {type: backend, id: bkd_x}\n';
  const subscriptionPath = (id: string) => `/event_subscriptions/${id}`;
  const routePath = (id: string, parent: string) => `/edges/https/${parent}/routes/${id}`;

  test('by a described DELETE is done, and nobody asks again', async () => {
    const { outcome, asked, walk } = await changed(
      subscription('a'),
      nothing,
      () => undefined,
      (one) => remove(one, 'EventSubscription', subscriptionPath),
    );
    expect(endings(outcome)).toEqual(['EventSubscription/a done']);
    expect(asked).toEqual(['DELETE /event_subscriptions/ID']);
    expect(walk.state()?.entries).toEqual({});
  });

  test('by a described PATCH is gone', async () => {
    const { outcome } = await changed(
      subscription('a'),
      subscription('a', 'two'),
      () => undefined,
      (one) => remove(one, 'EventSubscription', subscriptionPath),
    );
    expect(endings(outcome)).toEqual(['EventSubscription/a failed NOT_FOUND']);
  });

  test('by a completed DELETE is done where its edge shows it no longer', async () => {
    const { outcome, asked } = await changed(
      shop(route('/') + route('/a')),
      shop(route('/')),
      () => undefined,
      async (walk) => {
        const gone = walk.emulator
          .snapshot()
          .resources.find(({ id }) => id === walk.state()?.entries['HTTPSEdgeRoute/shop:/a']?.id);
        await asSomebody(walk, 'DELETE', routePath(gone?.id ?? '', gone?.parent ?? ''));
      },
    );
    expect(endings(outcome)).toEqual(['HTTPSEdgeRoute/shop:/a done']);
    expect(asked).toEqual(['DELETE /edges/https/ID/routes/ID', 'GET /edges/https/ID']);
  });

  test.each([404, 405])(
    'by a completed operation (%i) while its edge shows it: not offered, and nothing that needs it is started',
    async (status) => {
      const { outcome, asked } = await changed(
        shop(route('/') + route('/a') + route('/b')),
        shop(route('/', ', compression: {}') + route('/a', ', compression: {}') + route('/b', ', compression: {}')),
        ({ method }) => (method === 'PATCH' ? status : undefined),
      );
      expect(asked.filter((line) => line.startsWith('PATCH')).length).toBeLessThanOrEqual(3);
      expect(endings(outcome)).toContain('HTTPSEdgeRoute/shop:/ failed OPERATION_NOT_SUPPORTED');
      expect(outcomeOf(outcome, 'HTTPSEdgeRoute/shop:/')?.message).toContain('set `api.profile: documented`');
    },
  );

  test('once the service refuses an operation as not offered, it is not tried again', async () => {
    const walk = harness();
    const [before, after] = ['', ', compression: {}'].map((more) =>
      files(shop(['/', '/a', '/b'].map((match) => route(match, more)).join(''))),
    );
    await walk.converge(before ?? {});
    const { plan } = await walk.plan(after ?? {});
    refusing(walk, ({ method }) => method === 'PATCH', 404);
    const already = walk.emulator.log.length;
    const outcome = await walk.apply(plan, { parallelism: 1 });
    expect(endings(outcome)).toEqual([
      'HTTPSEdgeRoute/shop:/ failed OPERATION_NOT_SUPPORTED',
      'HTTPSEdgeRoute/shop:/a not-started OPERATION_NOT_SUPPORTED',
      'HTTPSEdgeRoute/shop:/b not-started OPERATION_NOT_SUPPORTED',
    ]);
    expect(walk.emulator.log.slice(already)).toHaveLength(2);
    expect(outcome.requests).toBe(1);
  });

  test('while a module is taken away from a route that is gone: gone, not done', async () => {
    const { outcome } = await changed(
      shop(route('/', ', compression: {}')),
      shop(route('/')),
      () => undefined,
      (one) => remove(one, 'HTTPSEdgeRoute', routePath),
    );
    expect(endings(outcome)).toEqual(['HTTPSEdgeRoute/shop:/ failed NOT_FOUND']);
  });
});

describe('what is remembered', () => {
  test('is saved after each success, ids and all', async () => {
    const walk = harness();
    const saved: State[] = [];
    const { plan } = await walk.plan(files(shop(route('/'))));
    await walk.apply(plan, {
      save: (state) => {
        saved.push(state);
        return Promise.resolve();
      },
    });
    const known = saved.map(({ entries }) => Object.keys(entries).sort().join(' '));
    expect([...new Set(known)]).toEqual(['', 'HTTPSEdge/shop', 'HTTPSEdge/shop HTTPSEdgeRoute/shop:/']);
    const edge = saved.at(-1)?.entries['HTTPSEdge/shop'];
    expect(saved.at(-1)?.entries['HTTPSEdgeRoute/shop:/']).toMatchObject({
      parent: edge?.id,
      spec: { edge_id: edge?.id },
    });
  });

  test('is made again from what is there after it was lost, without a request', async () => {
    const walk = harness();
    const wanted = files(subscription('audit'), shop(route('/')));
    await walk.converge(wanted);
    const before = walk.state()?.entries;
    walk.loseState();
    const already = written(walk).length;
    const { plan } = await walk.plan(wanted);
    expect(isEmptyPlan(plan)).toBe(true);
    await walk.apply(plan);
    expect(walk.state()?.entries).toEqual(before);
    expect(written(walk)).toHaveLength(already);
  });

  test('an adoption that needs no request is remembered all the same (documented)', async () => {
    const edge = { hostports: ['shop.example.com:443'] };
    const plan = planOf({
      profile: 'documented',
      wanted: { 'HTTPSEdge/shop': edge },
      foreign: { 'HTTPSEdge/shop': edge },
      lifecycle: { 'HTTPSEdge/shop': { adopt: 'edghts_shop' } },
    });
    const walk = harness({ profile: 'documented' });
    const outcome = await walk.apply(plan);
    expect(endings(outcome)).toEqual(['HTTPSEdge/shop done']);
    expect(outcome.requests).toBe(0);
    expect(walk.state()?.entries['HTTPSEdge/shop']).toMatchObject({ id: 'edghts_shop', spec: edge });
  });

  test('a text that the service will not clear is reported once, and not asked for again (completions)', async () => {
    const walk = harness();
    await walk.converge(files(shop(route('/', ', description: old'))));
    const stubborn = walk.emulator.intercept(async (exchange, next) => {
      const answer = await next();
      if (!exchange.body.includes('"description":""')) return answer;
      await asSomebody(walk, 'PATCH', exchange.path, { description: 'old' });
      return { ...answer, body: answer.body.replace('"description":""', '"description":"old"') };
    });
    const wanted = files(shop(route('/', ', compression: {}')));
    const outcome = await walk.apply((await walk.plan(wanted)).plan);
    expect(endings(outcome)).toEqual(['HTTPSEdgeRoute/shop:/ failed FIELD_NOT_CLEARED']);
    expect(outcome.changes[0]?.message).toMatch(/did not clear \/description/);
    const { plan } = await walk.plan(wanted);
    expect(isEmptyPlan(plan)).toBe(true);
    await walk.apply(plan);
    expect(isEmptyPlan((await walk.plan(wanted)).plan)).toBe(true);
    expect(walk.state()?.entries['HTTPSEdgeRoute/shop:/']?.unclearedFields).toEqual({ '/description': 'old' });
    stubborn();
    // Somebody else writes another text: that is drift again.
    const id = walk.state()?.entries['HTTPSEdgeRoute/shop:/'];
    await asSomebody(walk, 'PATCH', `/edges/https/${id?.parent ?? ''}/routes/${id?.id ?? ''}`, {
      description: 'theirs',
    });
    await walk.converge(wanted);
    expect(walk.state()?.entries['HTTPSEdgeRoute/shop:/']).not.toHaveProperty('unclearedFields');
  });

  test('a save that fails ends the run: nothing more is started, and the failure is reported', async () => {
    const walk = harness();
    const { plan } = await walk.plan(files(subscription('a'), subscription('b'), subscription('c')));
    const before = written(walk).length;
    let saves = 0;
    const outcome = await walk.apply(plan, {
      parallelism: 1,
      save: () => (++saves > 1 ? Promise.reject(new Error('the disk is full')) : Promise.resolve()),
    });
    expect(outcome.stateError?.message).toContain('the disk is full');
    expect(outcome.changes.map(({ ending }) => ending)).toEqual(['done', 'not-started', 'not-started']);
    expect(written(walk).length - before).toBeLessThan(3);
  });
});
