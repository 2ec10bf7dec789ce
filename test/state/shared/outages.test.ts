/*
 * A run loses its store in the middle: the connection breaks, or nothing arrives any more. Each takes as long as two
 * leases, so `npm run test:stores` asks for them; what a run does meanwhile is in test/state/remote as well.
 */
import { expect, test } from 'vitest';
import { marked } from '../../support/killed-stack.ts';
import { notBuilt } from '../../support/processes.ts';
import { tcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/until.ts';
import { describeServices, notAsked } from './describe-services.ts';
import { addresses, runnersOf } from './runners.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const all = names.map((name) => `ReservedAddr/${name}`);

describeServices('a run whose state is in', notBuilt + notAsked, (service) => {
  /** A run that has sent its second creation when the network becomes so; one creation at a time. */
  async function interrupted(network: 'cut' | 'silent') {
    const proxy = await tcpProxy(service().port);
    const far = await runnersOf(service().through(proxy.port), 1);
    const { emulator, write } = far;
    await write(addresses(...names));
    const posts = (): number => emulator.log.filter(({ method }) => method === 'POST').length;
    emulator.intercept(async ({ method }, next) => {
      const answer = await next();
      if (method === 'POST' && posts() === 2) proxy.become(network);
      return answer;
    });
    const running = far.run(0, ['apply', '--auto-approve', '--parallelism', '1']);
    await until(() => posts() >= 2);
    return { proxy, far, running, posts };
  }

  test.each(['cut', 'silent'] as const)(
    `sends nothing new while the network is %s, and goes on when it is back`,
    async (network) => {
      const { proxy, far, running, posts } = await interrupted(network);
      await pause(3_000);
      const sent = posts();
      expect(sent).toBeLessThan(names.length);
      proxy.become('open');
      const { code, err } = await running.ended;
      // Another run may have taken a lease over that had no heartbeat for its duration; here there is none.
      expect([code, err]).toEqual([0, expect.any(String)]);
      expect(marked(far.emulator)).toEqual(all);
    },
  );

  test.each(['cut', 'silent'] as const)(
    `ends with 6 after two lease durations of it (%s), naming what is not recorded; the next run makes nothing twice`,
    async (network) => {
      const { proxy, far, running } = await interrupted(network);
      const { code, out, err } = await running.ended;
      expect([code, err]).toEqual([
        6,
        expect.stringContaining('the state lock could not be renewed for twice the lease duration'),
      ]);
      expect(out).toMatch(/resources not recorded in the state: ReservedAddr\/\w \(\w+\)/);
      proxy.become('open');
      expect(await far.apply(0).ended).toMatchObject({ code: 0 });
      expect(marked(far.emulator)).toEqual(all);
      expect(await far.run(0, ['plan', '--detailed-exitcode']).ended).toMatchObject({ code: 0 });
    },
  );
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
