import { expect, test } from 'vitest';
import { ran } from '../cli/terminal.ts';
import { address, addresses } from './company-files.ts';
import { startWatch } from './start-watch.ts';

test('an approval counts the deletions that it allows, the same everywhere, and nothing reports that it cannot be applied', async () => {
  const kept = address('safe', 'Safe', '{protect: true}');
  const { dir, env, log, write, until, status, stop } = await startWatch(
    'prune: true',
    { 'a.yaml': addresses('mqtt', 'ssh', 'amqp') + kept },
    '{max_deletes: 1}',
  );
  await until(() => log().includes('4 of 4 changes applied'));
  await write('a.yaml', addresses('mqtt'));
  await until(async () => (await status()).approval_digest !== undefined);
  const { pending, approval_plan: plan = '', approval_summary: summary } = await status();
  const counts = pending.flatMap(({ hazards }) => hazards.filter(({ code }) => code === 'MANY_DELETES'));
  expect(counts.map(({ message }) => message)).toEqual([
    '2 managed resources would be deleted; policy.max_deletes allows 1',
  ]);
  expect(summary?.changes).toEqual([{ action: 'delete', kind: 'ReservedAddr', count: 2 }]);
  const shown = await ran(dir, ['approve', '--auto-approve', (await status()).approval_digest ?? ''], { env });
  for (const text of [plan, shown.out]) {
    expect(text).toContain('2 managed resources would be deleted');
    expect(text).not.toMatch(/3 managed|cannot be applied|BLOCKED/);
  }
  await stop();
});
