import { expect, onTestFinished, test } from 'vitest';
import { marked } from '../../support/killed-stack.ts';
import { notBuilt } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { describeServices, notAsked } from './describe-services.ts';
import { addresses, runnersOf } from './runners.ts';

describeServices('two watches whose state is in', notBuilt + notAsked, (service) => {
  test('have one leader, pause together, and outlive it', async () => {
    const { run, write, emulator } = await runnersOf(service(), 3);
    await write(addresses('a', 'b'));
    const watches = [0, 1].map((n) => run(n, ['watch', '--no-listen']));
    onTestFinished(() => watches.forEach(({ child }) => child.kill('SIGKILL')));
    const lock = async (): Promise<string> => (await run(2, ['state', 'lock']).ended).out;
    await until(() => marked(emulator).length === 2);
    expect(await lock()).toContain('locked by `sluice watch`');

    expect(await run(2, ['pause', '--for', '1h']).ended).toMatchObject({ code: 0 });
    await until(async () => (await lock()) === 'The state is not locked.\n');
    await write(addresses('a', 'b', 'c'));
    expect((await run(2, ['resume']).ended).out).toBe('Resumed.\n');
    await until(() => marked(emulator).length === 3);

    // The leader is killed; the standby takes over once its lease is over.
    const leader = /process (\d+)/.exec(await lock())?.[1];
    const killed = watches.filter(({ child }) => String(child.pid) === leader);
    expect(killed).toHaveLength(1);
    killed[0]?.child.kill('SIGKILL');
    await write(addresses('a', 'b', 'c', 'd'));
    await until(() => marked(emulator).length === 4);
    expect(marked(emulator)).toEqual(['a', 'b', 'c', 'd'].map((name) => `ReservedAddr/${name}`));
    expect(/process (\d+)/.exec(await lock())?.[1]).not.toBe(leader);
  });
});
