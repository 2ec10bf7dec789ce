/* A resource that has lost its ownership marker: how a person deletes it, and how it stays. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { asSomebody } from '../support/as-somebody.ts';
import { sluice, stack, stackFile } from './terminal.ts';

const named = (name: string): string =>
  `---\napiVersion: sluice/v1\nkind: EventSubscription\nmetadata: {name: ${name}}\nspec: {sources: [{type: a.v0}]}\n`;

/** A stack whose subscription `audit` has lost its marker, and has no manifest any more. */
async function withoutMarker(policy = '') {
  const emulator = createEmulator();
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const env = { SLUICE_BASE_URL: url, SLUICE_API_KEY: 'right' };
  const dir = await stack(named('audit'), `${stackFile}${policy}`);
  await sluice(dir, 'apply --auto-approve', { env });
  const id = emulator.snapshot().resources[0]?.id ?? '';
  await asSomebody({ emulator }, 'PATCH', `/event_subscriptions/${id}`, { metadata: '{"team":"billing"}' });
  await writeFile(join(dir, 'manifests/company.yaml'), named('other'));
  const isThere = (): boolean => emulator.snapshot().resources.some((one) => one.id === id);
  return { run: (args: string) => sluice(dir, args, { env }), id, isThere };
}

const block = 'policy: {block: [DELETES_UNMARKED]}\n';

test('its deletion is reported, and is done where no policy blocks it', async () => {
  const { run, id, isThere } = await withoutMarker();
  expect((await run('apply --auto-approve')).out).toContain(
    `! DELETES_UNMARKED  EventSubscription/audit: ${id} is deleted`,
  );
  expect(isThere()).toBe(false);
});

test('where the policy blocks that, it is deleted only with --allow, which the plan names', async () => {
  const { run, id, isThere } = await withoutMarker(block);
  const refused = await run('apply --auto-approve');
  expect(refused.code).toBe(3);
  expect(refused.out).toContain(
    `! DELETES_UNMARKED  EventSubscription/audit: ${id} is deleted although it no longer has the ownership marker of this stack`,
  );
  expect(refused.out).toContain('requires --allow DELETES_UNMARKED');
  expect(isThere()).toBe(true);
  expect(await run('apply --auto-approve --allow DELETES_UNMARKED')).toMatchObject({ code: 0 });
  expect(isThere()).toBe(false);
});

test('it stays once the state forgets it', async () => {
  const { run, isThere } = await withoutMarker();
  await run('state forget EventSubscription/audit');
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  expect(await run('destroy --auto-approve')).toMatchObject({ code: 0 });
  expect(isThere()).toBe(true);
});

test('destroy asks for the same permission', async () => {
  const { run, isThere } = await withoutMarker(block);
  expect(await run('destroy --auto-approve')).toMatchObject({ code: 3 });
  expect(await run('destroy --auto-approve --allow DELETES_UNMARKED')).toMatchObject({ code: 0 });
  expect(isThere()).toBe(false);
});
