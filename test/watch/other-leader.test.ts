import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileDocument } from '../../src/state/file/file-document.ts';
import { KeptWatchState } from '../../src/watch/kept-watch-state.ts';
import { OtherLeader } from '../../src/watch/other-leader.ts';
import { directory } from '../cli/terminal.ts';

const stack = { name: 'prod', id: '7f3a9c21' };

test('of another leader its name is known, and what it has recorded once that was read', async () => {
  const document = fileDocument(join(await directory({}), 'watch-state.json'));
  const kept = new KeptWatchState(document, stack.id);
  await kept.load();
  const ready = { type: 'Ready', status: 'True', reason: 'InSync', message: 'In sync', since: 1 } as const;
  kept.update({ url: 'http://127.0.0.1:8080/' });
  kept.update({ recorded: { ready, asked: [] } });
  await kept.save();
  const leader = new OtherLeader(
    { name: '`sluice watch` of ada', isWatch: true },
    { stack, url: 'http://127.0.0.1:9090/' },
  );
  expect(leader.facts).toEqual({ leader: '`sluice watch` of ada' });
  await leader.read(document);
  leader.sentHeartbeat(5_000);
  expect(leader.facts).toEqual({
    leader: '`sluice watch` of ada',
    leaderUrl: 'http://127.0.0.1:8080/',
    leaderHeartbeat: 5_000,
    leaderRecorded: { ready, asked: [] },
  });
});

test('its heartbeats are published at most once a second', () => {
  const leader = new OtherLeader({ name: 'ada', isWatch: true }, { stack, url: undefined });
  const published = [0, 1, 999, 1_000, 1_500, 2_000, 5_000].filter((at) => leader.sentHeartbeat(at));
  expect(published).toEqual([0, 1_000, 2_000, 5_000]);
  expect(leader.facts.leaderHeartbeat).toBe(5_000);
});
