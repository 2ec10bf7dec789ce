import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { company, sluice, stackFile } from '../../cli/terminal.ts';
import { gitStack } from '../../support/git-stack.ts';

test.each(['manifests', 'manifests/shared', 'manifests/shared/deeper'])(
  'a base whose manifests are in %s is refused where manifests/shared is a submodule, of which it has no files',
  async (path) => {
    const settings = stackFile.replace('[manifests]', `[${path}]`);
    const { dir, git } = await gitStack({ 'sluice.yaml': settings });
    git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD').trim()},manifests/shared`);
    git('commit', '-q', '-m', 'a submodule');
    mkdirSync(join(dir, 'manifests/shared/deeper'), { recursive: true });
    writeFileSync(join(dir, 'manifests/shared/deeper/company.yaml'), company);
    const { code, err } = await sluice(dir, 'plan --base main');
    expect([code, err]).toEqual([8, expect.stringContaining('manifests/shared is a submodule')]);
  },
);
