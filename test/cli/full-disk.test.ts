import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { smallDisk, withoutSmallDisk } from '../support/small-disk.ts';
import { company, sluice, stackFile } from './terminal.ts';

const hint = 'free space on the disk that contains the path';

test.skipIf(withoutSmallDisk !== '')(
  `on a full disk every command says so and what to do, and goes on once there is space${withoutSmallDisk}`,
  async () => {
    const disk = smallDisk(2);
    onTestFinished(disk.remove);
    const dir = join(disk.path, 'stack');
    await mkdir(join(dir, 'manifests'), { recursive: true });
    await writeFile(join(dir, 'sluice.yaml'), stackFile);
    await writeFile(join(dir, 'manifests/shop.yaml'), company.replace('{name: mqtt}', '{ name:   mqtt }'));
    disk.fill();
    for (const [line, what, code] of [
      ['apply --auto-approve', 'the lock ', 1],
      ['plan --out shop.plan', 'shop.plan cannot be written: ', 8],
      ['init --new-id', 'cannot be read or written: ', 1],
      ['fmt', 'cannot be read or written: ', 1],
    ] as const) {
      const { code: ended, err } = await sluice(dir, line);
      expect([line, ended, err]).toEqual([line, code, expect.stringContaining(what)]);
      expect(err).toContain('no space left on the disk (ENOSPC)');
      expect(err).toContain(hint);
      expect(err).not.toContain('internal error');
    }
    expect(await readFile(join(dir, 'sluice.yaml'), 'utf8')).toBe(stackFile);
    const { out } = await sluice(dir, 'init --new-id --format json');
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'FILE_NOT_ACCESSIBLE' } });
    disk.free();
    expect(await sluice(dir, 'apply --auto-approve')).toMatchObject({ code: 0 });
    expect(await sluice(dir, 'plan --detailed-exitcode')).toMatchObject({ code: 0 });
  },
);
