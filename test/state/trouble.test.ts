import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { killedStack, marked, type KilledStack } from '../support/killed-stack.ts';
import { notBuilt } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { printed } from './shared/runners.ts';

describe.skipIf(notBuilt !== '')(`an apply whose disk gives up${notBuilt}`, () => {
  test('by being full stops cleanly, and what it made is found again', async () => {
    const stack = await withAddresses(40);
    const end = await stack.run(
      ['apply', '--auto-approve', '--parallelism', '4'],
      (command) => `ulimit -f 8; exec ${command}`,
    ).ended;
    expect(end.code).toBe(6);
    expect(end.out).toContain('state.json cannot be written: the file is too large (EFBIG)');
    expect(end.out).toMatch(/Applied in part: .*state not saved\./);
    expect(end.err).not.toContain('defect');
    await stack.mustBeWhole();
    const made = marked(stack.emulator).length;
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(40);
    await stack.mustConverge(addresses(40));
  });

  test('by losing the directory of the state stops cleanly', async () => {
    const stack = await withAddresses(20);
    // In one step: files that are written meanwhile would keep a directory that is emptied.
    onWrite(stack, 5, () => rename(join(stack.dir, '.sluice'), join(stack.dir, 'lost')));
    const end = await stack.run(['apply', '--auto-approve', '--parallelism', '2']).ended;
    expect(end.code).toBe(6);
    expect(marked(stack.emulator).length).toBeLessThan(20);
    await stack.mustConverge(addresses(20));
  });

  test('by turning read-only goes on with what it has open, and the next run puts the state in order', async (context) => {
    const stack = await withAddresses(20);
    const folder = join(stack.dir, '.sluice');
    onTestFinished(() => void setReadOnly(folder, false));
    let worked = true;
    onWrite(stack, 9, () => {
      worked = setReadOnly(folder, true);
      return Promise.resolve();
    });
    const end = await stack.run(['apply', '--auto-approve', '--parallelism', '2']).ended;
    context.skip(!worked, 'a directory cannot be made read-only here');
    expect(end.code).toBe(0);
    expect(await readdir(folder)).toContain('state.json.journal');
    setReadOnly(folder, false);
    await stack.mustBeWhole();
    await stack.mustConverge(addresses(20));
  });

  test('before anything was sent writes nothing', async () => {
    const stack = await withAddresses(2);
    await writeFile(join(stack.dir, '.sluice'), 'a file where a directory must be');
    const end = await stack.apply().ended;
    expect(end.code).toBe(1);
    expect(end.err).toContain('.sluice/lock cannot be taken');
    expect(marked(stack.emulator)).toEqual([]);
  });
});

describe.skipIf(notBuilt !== '')(`an apply that is paused${notBuilt}`, () => {
  test('and has lost its lock when it wakes sends nothing more and leaves the state alone', async () => {
    const stack = await withAddresses(6);
    const path = join(stack.dir, '.sluice/state.json');
    const paused = stack.run(['apply', '--auto-approve', '--parallelism', '1']);
    await new Promise<void>((stopped) => {
      onWrite(stack, 2, () => {
        paused.child.kill('SIGSTOP');
        stopped();
        return Promise.resolve();
      });
    });
    expect((await stack.apply().ended).code).toBe(5);
    expect(await stack.run(['state', 'unlock', '--yes']).ended).toMatchObject({ code: 0 });
    expect(await stack.apply().ended).toMatchObject({ code: 0 });
    const [text, requests] = [await readFile(path, 'utf8'), writesTo(stack)];
    paused.child.kill('SIGCONT');
    const end = await paused.ended;
    expect(end.code).toBe(6);
    expect(writesTo(stack) - requests).toBeLessThanOrEqual(1);
    expect(await readFile(path, 'utf8')).toBe(text);
    await stack.mustConverge(addresses(6));
  });
});

describe.skipIf(notBuilt !== '')(`an apply that is asked to stop${notBuilt}`, () => {
  test.each([
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
  ] as const)(
    'by %s, and at once by %s, finishes what runs, remembers it, reports that, and exits 130',
    async (signal, again) => {
      const stack = await withAddresses(10);
      const running = stack.run(['apply', '--auto-approve', '--parallelism', '2']);
      const text = printed(running);
      onWrite(stack, 3, async () => {
        running.child.kill(signal);
        // As npx and timeout do, which pass on what the terminal has sent already. Of one signal, two may arrive as one.
        running.child.kill(again);
        await until(() => text().includes('Stopping'));
      });
      const end = await running.ended;
      expect(end.code).toBe(130);
      const made = marked(stack.emulator);
      expect(made.length).toBeGreaterThanOrEqual(3);
      expect(made.length).toBeLessThanOrEqual(5);
      expect(end.out).toMatch(/not started/);
      expect(end.err).toContain('Stopping: waiting for requests in flight and saving the state.');
      const { out } = await stack.run(['state', 'list', '-o', 'json']).ended;
      const listed = JSON.parse(out) as { resources: { address: string }[]; pending_creations: unknown[] };
      expect(listed.resources.map(({ address }) => address)).toEqual(made);
      expect(listed.pending_creations).toEqual([]);
      expect(await readdir(join(stack.dir, '.sluice'))).not.toContain('lock');
      await stack.mustConverge(addresses(10));
    },
  );

  test('during its last request reports that all changes were made', async () => {
    const stack = await withAddresses(3);
    const running = stack.run(['apply', '--auto-approve', '--parallelism', '1']);
    const text = printed(running);
    onWrite(stack, 3, async () => {
      running.child.kill('SIGINT');
      await until(() => text().includes('Stopping'));
    });
    const end = await running.ended;
    expect(end.code).toBe(130);
    expect(end.err).toContain('All changes were made before the interruption.');
    expect(marked(stack.emulator)).toEqual(addresses(3));
  });

  test('twice ends at once, with a whole state', async () => {
    const stack = await withAddresses(5);
    const running = stack.apply();
    const text = printed(running);
    onWrite(stack, 2, async () => {
      running.child.kill('SIGINT');
      await until(() => text().includes('Stopping'));
      // Later than one Ctrl-C arrives twice.
      setTimeout(() => running.child.kill('SIGINT'), 700);
      await running.ended;
    });
    expect((await running.ended).code).toBe(130);
    await stack.mustBeWhole();
    await stack.mustConverge(addresses(5));
  });

  test('by the loss of its terminal goes on to the end', async () => {
    const stack = await withAddresses(5);
    const running = stack.apply();
    onWrite(stack, 2, () => {
      running.child.kill('SIGHUP');
      return Promise.resolve();
    });
    expect((await running.ended).code).toBe(0);
    expect(marked(stack.emulator)).toEqual(addresses(5));
  });

  test('by output that cannot be written goes on, and does not call that a success', async () => {
    const stack = await withAddresses(5);
    const end = await stack.run(['apply', '--auto-approve'], (command) => `exec ${command} > /dev/full`).ended;
    expect(end.code).toBe(1);
    await stack.mustConverge(addresses(5));
  });
});

/** A stack that wants as many addresses. */
async function withAddresses(many: number): Promise<KilledStack> {
  const stack = await killedStack();
  await mkdir(join(stack.dir, 'manifests'), { recursive: true });
  await stack.write(
    addresses(many)
      .map(
        (address) =>
          `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${address.replace('ReservedAddr/', '')}}\nspec: {region: eu}\n`,
      )
      .join('---\n'),
  );
  return stack;
}

function addresses(many: number): string[] {
  return Array.from({ length: many }, (_, n) => `ReservedAddr/a${String(n).padStart(2, '0')}`);
}

/** Does something once the n-th write has been carried out, before it is answered. */
function onWrite({ emulator }: KilledStack, n: number, then: () => Promise<unknown>): void {
  let writes = 0;
  emulator.intercept(async ({ method }, next) => {
    const answer = await next();
    if (method !== 'GET' && ++writes === n) await then();
    return answer;
  });
}

function writesTo({ emulator }: KilledStack): number {
  return emulator.log.filter(({ method }) => method !== 'GET').length;
}

/** Makes a directory one that nothing can be put into. The administrator needs another way than others. Answers whether it worked. */
function setReadOnly(folder: string, isSo: boolean): boolean {
  try {
    if (process.getuid?.() !== 0) chmodSync(folder, isSo ? 0o500 : 0o700);
    else execFileSync('/usr/bin/env', ['chattr', isSo ? '+i' : '-i', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
