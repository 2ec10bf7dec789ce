/*
 * A pipeline cancels a job with a signal, and some seconds later with SIGKILL. Until then a run gives back the lock, or
 * reports what it could not record.
 */
import { expect, onTestFinished, test } from 'vitest';
import { marked } from '../../support/killed-stack.ts';
import { notBuilt } from '../../support/processes.ts';
import { tcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/until.ts';
import { describeServices, notAsked } from './describe-services.ts';
import { addresses, longLease, printed, runnersOf } from './runners.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];

describeServices('a run that is cancelled, with its state in', notBuilt + notAsked, (service) => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'by %s while it waits for the lock leaves it to its holder',
    async (signal) => {
      const { run, apply, write, emulator } = await runnersOf(service(), 2);
      await write(addresses('a'));
      const holder = run(0, ['watch', '--no-listen']);
      onTestFinished(async () => {
        holder.child.kill('SIGKILL');
        await holder.ended;
      });
      await until(() => marked(emulator).length === 1);
      const waiting = apply(1, '--lock-timeout', '10m');
      const text = printed(waiting);
      await until(() => text().includes('waiting for the lock'));
      waiting.child.kill(signal);
      expect(await waiting.ended).toMatchObject({
        code: 130,
        err: expect.stringContaining('interrupted while waiting for the lock') as string,
      });
      expect((await run(1, ['state', 'lock']).ended).out).toContain('`sluice watch`');
    },
  );

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'by %s while it creates completes what is under way, and gives the lock back',
    async (signal) => {
      const { run, apply, write, emulator } = await runnersOf(service(), 2);
      await write(addresses(...names));
      const applying = apply(0, '--parallelism', '1');
      const text = printed(applying);
      emulator.intercept(async ({ method }, next) => {
        if (method === 'POST') {
          applying.child.kill(signal);
          await until(() => text().includes('Stopping'));
        }
        return next();
      });
      expect((await applying.ended).code).toBe(130);
      expect(marked(emulator)).toEqual(['ReservedAddr/a']);
      expect((await run(1, ['state', 'lock']).ended).out).toBe('The state is not locked.\n');
      expect((await run(1, ['state', 'list']).ended).out).toContain('ReservedAddr/a');
    },
  );

  test.each(['cut', 'silent'] as const)(
    'while the network to its store is %s waits for no outage to end, and reports what is not recorded',
    async (network) => {
      const proxy = await tcpProxy(service().port);
      const { apply, write, emulator } = await runnersOf(service().through(proxy.port), 1, longLease);
      await write(addresses(...names));
      let creations = 0;
      emulator.intercept(async ({ method }, next) => {
        const answer = await next();
        if (method === 'POST' && ++creations === 2) proxy.become(network);
        return answer;
      });
      const applying = apply(0, '--parallelism', '1');
      await until(() => creations >= 2);
      applying.child.kill('SIGTERM');
      const { code, out } = await applying.ended;
      expect([code, out]).toEqual([
        130,
        expect.stringContaining('the store did not respond before the run was cancelled'),
      ]);
      expect(out).toMatch(/resources not recorded in the state: ReservedAddr\/\w \(\w+\)/);
    },
  );
});
