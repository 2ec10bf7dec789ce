/*
 * Weeks of revisions, drift, failures, approvals, fights, pauses and broken files, in which every resource has a name of
 * its own. Counted is what could grow: whatever is kept by name, by time or by turn.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { sampleSize } from '../support/samples.ts';
import { address, addresses } from './company-files.ts';
import { rig, type Rig } from './rig.ts';

const mqtt = 'ReservedAddr/mqtt';
const interval = 600_000;

// TURNS=2100 for weeks.
const turns = Number(process.env['TURNS'] ?? sampleSize(200, 750));

test('many turns later, nothing that a watch keeps has grown', { timeout: 600_000 }, async () => {
  const settings = { intervalMs: interval, policy: { maxDeletes: { count: 1 }, block: [] } };
  const watch = rig({ 'a.yaml': addresses('mqtt') }, settings);
  let round = 0;
  const early = await after(sampleSize(120, 400));
  const late = await after(turns);
  expect(late).toEqual(early);
  for (const seen of ['failed', 'recovered', 'pending', 'approval', 'paused', 'manifest', 'change'])
    expect(watch.log.some((line) => line.includes(` ${seen}: `))).toBe(true);
  expect(watch.status().history).toHaveLength(50);

  async function after(many: number): Promise<object> {
    while (watch.turns() < many) await live(watch, round++);
    return held(watch);
  }
});

/** What happens in about ten turns; how it ends is the same each time. */
async function live(watch: Rig, round: number): Promise<void> {
  const names = (count: number): string[] =>
    Array.from({ length: count }, (_, n) => `r${String(round).padStart(4, '0')}-${n}`);
  // The manifests say something new of it only now and then, so that in between it becomes a fight.
  const described = (more: string): Record<string, string> => ({
    'a.yaml': address('mqtt', `Sensors ${Math.floor(round / 8) % 2}`) + more,
  });
  // Three new ones, of which two fail; then they are wanted no more, and that needs a word.
  const heal = watch.account.emulator.intercept(({ method, body }, next) =>
    method === 'POST' && /r\d+-[01]/.test(body) ? { status: 422, headers: {}, body: '{}' } : next(),
  );
  watch.write(described(addresses(...names(3))));
  await watch.rests();
  await watch.oversleep(10_000);
  heal();
  await watch.oversleep(interval);
  watch.write(described(''));
  await watch.rests();
  await watch.approve();
  await watch.rests();
  // Others touch what is ours.
  await watch.byHand('PATCH', mqtt, { description: 'by hand' });
  await watch.oversleep(1.2 * interval);
  // Nobody can read a file, and then there is nothing at all.
  watch.write({ ...described(''), 'b.yaml': `kind: [ # ${round}` });
  await watch.rests();
  watch.vanish();
  await watch.rests();
  await watch.request((before) => ({ ...before, pause: { until: watch.now() + interval, by: 'ada' } }));
  await watch.until(({ role }) => role === 'paused');
  watch.write(described(''));
  await watch.oversleep(2 * interval);
  await watch.until(({ role, nextRefresh }) => role === 'leader' && nextRefresh !== undefined);
}

/** How much of everything there is. */
function held(watch: Rig): object {
  const { pending, driftConflicts, failures, resources, diagnostics, history } = watch.status();
  const memory = JSON.parse(readFileSync(join(watch.dir, 'watch-state.json'), 'utf8')) as {
    readonly repairs: object;
    readonly approved: object;
    readonly usedApprovals: readonly object[];
  };
  return {
    sleepers: watch.sleepers(),
    listeners: watch.listeners(),
    signals: queryObjects(AbortSignal, { format: 'count' }),
    reported: [resources, diagnostics, history, failures].map(({ length }) => length),
    repairs: Object.keys(memory.repairs).length <= 1,
    fights: driftConflicts.length <= 1 && pending.length <= 1,
    approved: Object.keys(memory.approved).length,
    usedApprovals: memory.usedApprovals.length <= 100,
  };
}
