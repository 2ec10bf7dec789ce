import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nobody, withoutAnotherUser } from '../support/another-user.ts';
import { notBuilt, startProgram, type ProcessEnd } from '../support/processes.ts';
import { addresses } from './company-files.ts';
import { shared, type Replica, type Shared } from './replicas.ts';

const leftOut = withoutAnotherUser || notBuilt;
const asNobody = (command: string): string =>
  `exec setpriv --reuid ${nobody} --regid ${nobody} --clear-groups ${command}`;

describe.skipIf(leftOut !== '')(`root beside a daemon of another user${leftOut}`, () => {
  test('the daemon obeys the pause and the resume of root, and can read all that root leaves behind', async () => {
    const { stack, daemon } = await daemonOfNobody();
    expect(await stack.run(stack.dir, ['pause', '--for', '1h'])).toMatchObject({ code: 0 });
    await daemon.says('paused until');
    stack.write(addresses('mqtt', 'ssh'));
    expect(await stack.run(stack.dir, ['apply', '--auto-approve'])).toMatchObject({ code: 0 });
    expect(await stack.run(stack.dir, ['resume'])).toMatchObject({ code: 0, out: 'Resumed.\n' });
    await daemon.says('reconciliation resumed');
    await daemon.says('this process is the leader', daemon.log().indexOf('reconciliation resumed'));
    const left = filesIn(stack.kept);
    expect(left.map(({ name }) => name)).toEqual(expect.arrayContaining(['state.json', 'watch-requests.json']));
    for (const file of left) expect(file).toMatchObject({ uid: nobody, gid: nobody });
    expect(await asDaemon(stack, ['state', 'list'])).toMatchObject({ code: 0 });
  });

  test('what root makes first is the daemon’s as well: directories, lock, state and backups', async () => {
    const stack = await ofNobody();
    expect(await stack.run(stack.dir, ['apply', '--auto-approve'])).toMatchObject({ code: 0 });
    stack.write(addresses('mqtt', 'ssh'));
    expect(await stack.run(stack.dir, ['apply', '--auto-approve'])).toMatchObject({ code: 0 });
    stack.write(addresses('mqtt'));
    expect(await asDaemon(stack, ['apply', '--auto-approve'])).toMatchObject({ code: 0 });
  });

  test('a pause file that the daemon cannot read stops it with a reason, and it checks again when that is mended', async () => {
    const { stack, daemon } = await daemonOfNobody();
    await stack.run(stack.dir, ['pause', '--for', '1h']);
    await daemon.says('paused until');
    await stack.run(stack.dir, ['resume']);
    await daemon.says('reconciliation resumed');
    const [path, seen] = [join(stack.kept, 'watch-requests.json'), daemon.log().length];
    chmodSync(path, 0);
    await daemon.says('EACCES', seen);
    await daemon.says('paused', seen);
    chmodSync(path, 0o600);
    await daemon.says('reconciliation resumed', seen);
  });

  test('a stack that the daemon may not enter for a while is read again after a delay, and not without pause', async () => {
    const { stack, daemon } = await daemonOfNobody();
    const seen = daemon.log().length;
    const failures = (): readonly number[] =>
      [
        ...daemon
          .log()
          .slice(seen)
          .matchAll(/"time":"([^"]+)".*manifests: .*EACCES/g),
      ].map(([, at = '']) => Date.parse(at));
    chmodSync(stack.dir, 0o600);
    await expect.poll(() => failures().length).toBeGreaterThan(1);
    const [first = 0, second = 0] = failures();
    // It refreshes every second, and reads the files then.
    expect(second - first).toBeGreaterThan(500);
    chmodSync(stack.dir, 0o755);
    await daemon.says('manifests: recovered', seen);
  });

  test('a directory that the daemon cannot enter for a while is checked again by time', async () => {
    const { stack, daemon } = await daemonOfNobody();
    const seen = daemon.log().length;
    chownSync(stack.kept, 0, 0);
    // Not any failure: what it notices first may pass without a pause.
    await daemon.says('the pauses and approvals cannot be read', seen);
    chownSync(stack.kept, nobody, nobody);
    await daemon.says('this process is the leader', seen);
  });
});

/** A stack whose files belong to nobody, with a daemon of nobody that watches it. */
async function daemonOfNobody(): Promise<{ readonly stack: Shared; readonly daemon: Replica }> {
  const stack = await ofNobody();
  mkdirSync(stack.kept);
  chmodSync(stack.kept, 0o700);
  chownSync(stack.kept, nobody, nobody);
  const daemon = stack.watch('daemon', { shell: asNobody });
  await daemon.says('ReservedAddr/mqtt: done');
  return { stack, daemon };
}

async function ofNobody(): Promise<Shared> {
  const stack = await shared(addresses('mqtt'));
  const root = dirname(stack.dir);
  chmodSync(root, 0o755);
  chownSync(root, nobody, nobody);
  return stack;
}

function asDaemon(stack: Shared, args: readonly string[]): Promise<ProcessEnd> {
  return startProgram(stack.dir, args, { SLUICE_API_KEY: 'daemon' }, asNobody).ended;
}

function filesIn(dir: string): readonly { readonly name: string; readonly uid: number; readonly gid: number }[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    // The daemon makes and removes files meanwhile.
    const found = statSync(join(dir, name), { throwIfNoEntry: false });
    return found === undefined ? [] : [{ name, uid: found.uid, gid: found.gid }];
  });
}
