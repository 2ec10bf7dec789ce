import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import { marked } from '../../support/killed-stack.ts';
import { notBuilt, startProgram, type Running } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { describeServices, notAsked } from './describe-services.ts';
import { addresses, printed, shortLease } from './runners.ts';

const names = Array.from({ length: 9 }, (_, n) => `stack-${String(n)}`);

describeServices('replicas of a fleet whose sessions and states are in', notBuilt + notAsked, (service, kind) => {
  test('take over every stack of one that is killed, and create nothing twice', async () => {
    const { setting, env } = service();
    const emulator = createEmulator();
    const served = await emulator.listen();
    const root = await mkdtemp(join(tmpdir(), 'sluice-fleet-'));
    onTestFinished(async () => {
      await served.close();
      await rm(root, { recursive: true, force: true });
    });
    const state = `state: {${setting}, lease: ${shortLease}}\n`;
    const file = join(root, 'replicas.yaml');
    await writeFile(file, `version: 1\nfleet: of-${kind.replace(/\W/g, '-')}\n${state}`, { mode: 0o600 });
    const write = async (...resources: readonly string[]): Promise<void> => {
      for (const replica of [0, 1, 2])
        for (const [n, name] of names.entries()) {
          const dir = join(root, String(replica), name);
          await mkdir(join(dir, 'manifests'), { recursive: true });
          const id = (0x6f1e7a90 + n).toString(16);
          const settings = `stack: {name: ${name}, id: ${id}}\nmanifests: [manifests]\napi: {vendor: example}\nwatch: {interval: 2s, debounce: 1s, scan_interval: 1s}\n`;
          await writeFile(join(dir, 'sluice.yaml'), `version: 1\n${settings}${state}`);
          await writeFile(join(dir, 'manifests/all.yaml'), addresses(...resources.map((one) => `${name}-${one}`)));
        }
    };
    await write('a');
    const replicas = [0, 1, 2].map((n): Running & { readonly log: () => string } => {
      const flags = ['--fleet', String(n), '--replicas', file, '--listen', '127.0.0.1:0', '--poll'];
      const running = startProgram(root, ['watch', ...flags], {
        SLUICE_API_KEY: 'right',
        SLUICE_BASE_URL: served.url,
        ...env,
      });
      onTestFinished(async () => {
        running.child.kill('SIGKILL');
        await running.ended;
      });
      return { ...running, log: printed(running) };
    });
    const leads = async ({ log }: (typeof replicas)[number]): Promise<readonly string[]> => {
      const [, url] = /status page at (http:\/\/127\.0\.0\.1:\d+)/.exec(log()) ?? [];
      if (url === undefined) return [];
      const { stacks } = (await (await fetch(`${url}/status.json`)).json()) as {
        stacks: { path: string; role?: string }[];
      };
      return stacks.flatMap(({ path, role }) => (role === 'leader' ? [path] : [])).sort();
    };
    const spread = async (living: readonly (typeof replicas)[number][]): Promise<readonly (readonly string[])[]> =>
      Promise.all(living.map(leads));
    const resources = (...of: readonly string[]): string[] =>
      names.flatMap((name) => of.map((one) => `ReservedAddr/${name}-${one}`)).sort();
    const areDivided = async (living: typeof replicas, least: number): Promise<boolean> => {
      const found = await spread(living);
      return found.flat().sort().join() === names.join() && found.every(({ length }) => length >= least);
    };

    await until(() => areDivided(replicas, 3));
    await until(() => marked(emulator).length === names.length);
    const [killed, ...others] = replicas;
    killed?.child.kill('SIGKILL');
    await write('a', 'b');
    await until(() => areDivided(others, 4));
    await until(() => marked(emulator).length === 2 * names.length);
    expect([...marked(emulator)].sort()).toEqual(resources('a', 'b'));
  });
});
