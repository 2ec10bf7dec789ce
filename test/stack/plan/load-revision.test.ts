import { expect, test } from 'vitest';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { loadRevision } from '../../../src/stack/plan/load-revision.ts';
import { readStackConfig } from '../../../src/stack/settings/stack-config.ts';
import { company, directory, stackFile } from '../../cli/terminal.ts';
import { gitStack } from '../../support/git-stack.ts';

test('outside of a git repository there is no commit to go back to', async () => {
  const dir = await directory();
  const revision = loadRevision(libraryContext({ dir, env: process.env }), { dir } as never, 'HEAD');
  await expect(revision).rejects.toThrow('rollback: the stack is not in a git repository');
});

test('a commit to go back to has the same stack, with manifests that can be read', async () => {
  const { dir, git, commit } = await gitStack({ 'manifests/company.yaml': company });
  const first = git('rev-parse', 'HEAD').trim();
  const other = commit({ 'sluice.yaml': stackFile.replace('5c1e7a90', '7f3a9c21') });
  const broken = commit({ 'sluice.yaml': `${stackFile}colour: red\n` });
  const outside = commit({ 'sluice.yaml': stackFile.replace('[manifests]', '[../elsewhere]') });
  const good = commit({ 'sluice.yaml': stackFile });
  commit({ 'manifests/company.yaml': company.replace('name: mqtt', 'name: smtp') });
  const context = libraryContext({ dir, env: process.env });
  const open = await readStackConfig(context);
  const revision = (ref: string) => loadRevision(context, open, ref);

  const { commit: found, wanted } = await revision('HEAD~1');
  expect([found, wanted.described.includes('ReservedAddr/mqtt')]).toEqual([good, true]);
  expect(await wanted.checkout?.uncommitted()).toBe(false);
  const refused = (ref: string) => expect(revision(ref)).rejects;
  await refused('v0').toThrow('"v0" is not a commit of this repository');
  await refused(first).toThrow(
    `commit ${first.slice(0, 12)} cannot be used: the commit has no sluice.yaml in the directory`,
  );
  await refused(other).toThrow('cannot be used: the sluice.yaml of the commit has a different `stack.id`');
  await refused(broken).toThrow(`commit ${broken.slice(0, 12)} cannot be used: `);
  await refused(broken).not.toThrow('the commit has no sluice.yaml');
  await refused(outside).toThrow('/elsewhere is outside the git repository');
});
