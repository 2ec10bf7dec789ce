import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { marked } from '../../support/killed-stack.ts';
import { notBuilt, type ProcessEnd } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { describeServices, notAsked } from './describe-services.ts';
import { addresses, printed, runnersOf } from './runners.ts';

describeServices('watches whose state is in', notBuilt + notAsked, (service) => {
  test('have one leader of two, pause together, and outlive it', async () => {
    const { run, write, emulator } = await runnersOf(service(), 3);
    await write(addresses('a', 'b'));
    const watches = [0, 1].map((n) => run(n, ['watch', '--no-listen']));
    onTestFinished(async () => {
      for (const { child } of watches) child.kill('SIGKILL');
      await Promise.all(watches.map(({ ended }) => ended));
    });
    const lock = async (): Promise<string> => (await run(2, ['state', 'lock']).ended).out;
    await until(() => marked(emulator).length === 2);
    expect(await lock()).toContain('locked by `sluice watch`');

    expect(await run(2, ['pause', '--for', '1h']).ended).toMatchObject({ code: 0 });
    await until(async () => (await lock()) === 'The state is not locked.\n');
    await write(addresses('a', 'b', 'c'));
    expect((await run(2, ['resume']).ended).out).toMatch(/^Resumed\.\nA running watch continues /);
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

  test('apply what somebody approves who shares only the store, also while they are paused', async () => {
    const { run, write, emulator, dir } = await runnersOf(service(), 2);
    await appendFile(join(dir(0), 'sluice.yaml'), 'watch: {apply_on_change: false}\n');
    const watching = run(0, ['watch', '--no-listen']);
    onTestFinished(async () => {
      watching.child.kill('SIGKILL');
      await watching.ended;
    });
    const text = printed(watching);
    const asked = (): string[] => [...new Set(text().match(/sha256:[0-9a-f]{64}/g))];
    const operator = (...args: string[]): Promise<ProcessEnd> => run(1, args).ended;

    await write(addresses('a'));
    await until(() => asked().length === 1);
    expect(await operator('approve', `sha256:${'0'.repeat(64)}`, '--yes')).toMatchObject({ code: 4 });
    expect(await operator('approve', asked()[0] ?? '', '--yes')).toMatchObject({ code: 0 });
    await until(() => marked(emulator).length === 1);

    await write(addresses('a', 'b'));
    await until(() => asked().length === 2);
    expect(await operator('pause', '--for', '1h')).toMatchObject({ code: 0 });
    await until(async () => (await operator('state', 'lock')).out === 'The state is not locked.\n');
    expect(await operator('approve', asked()[1] ?? '', '--yes')).toMatchObject({ code: 0 });
    expect(marked(emulator)).toEqual(['ReservedAddr/a']);
    expect((await operator('resume')).out).toMatch(/^Resumed\.\nA running watch continues /);
    await until(() => marked(emulator).length === 2);
    for (const runner of [0, 1]) expect(await readdir(dir(runner))).not.toContain('.sluice');
  });
});
