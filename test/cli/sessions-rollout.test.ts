import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { AgentSetup } from '../../src/emulator/agents/agents.ts';
import { fleet, interruptedAsleep, wordsOf, type Fleet } from './fleet.ts';

const all = ['sessions', 'rollout', '--all', '--max-unavailable'];

/** Twenty agents that 3.5.1 is there for, three of them on Windows. */
function twenty(odd: Readonly<Record<number, AgentSetup>> = {}): AgentSetup[] {
  return Array.from({ length: 20 }, (_, n) => ({
    version: '3.4.0',
    available: '3.5.1',
    ip: `192.0.2.${n + 1}`,
    os: n % 7 === 3 ? 'Windows Server 2022' : 'linux',
    ...odd[n],
  }));
}

describe('a rollout to twenty agents, three of them on Windows', () => {
  test('updates and restarts all others, with no more than five offline at the same time', async () => {
    const { sluice, fewestOnline, commands } = await fleet(twenty());
    const { code, out, err } = await sluice([...all, '5', '--yes']);
    expect(code).toBe(0);
    expect(out).toContain(
      'Rollout to 17 agents: update, then restart; 4 batches, at most 5 agents offline at the same time.',
    );
    expect(out).toContain('Skipped: agents on Windows cannot be restarted remotely.');
    expect(out).toMatch(/\n17 done\.\n$/);
    expect(fewestOnline()).toBe(15);
    expect(commands().filter((command) => command.endsWith(' update'))).toHaveLength(17);
    expect(commands().filter((command) => command.endsWith(' restart'))).toHaveLength(17);
    expect(err).toContain('Batch 4 of 4\n');
    expect(err).toMatch(/reconnected as ts_\w+, version 3\.5\.1\n/);
    expect(versions((await sluice(['sessions', 'list', '--format', 'json'])).out)).toEqual([
      ...Array.from({ length: 3 }, () => '3.4.0 Windows Server 2022'),
      ...Array.from({ length: 17 }, () => '3.5.1 linux'),
    ]);
  });

  test('stops at the one that refuses, reports what was done and what not, and goes on from there once that is settled', async () => {
    const { sluice, ids, commands } = await fleet(twenty({ 8: { updates: false } }));
    const { code, out } = await sluice([...all, '5', '--yes']);
    expect(code).toBe(6);
    // Without those on Windows, the ninth agent is the third of the second batch.
    expect(out).toContain(
      `failed       ${at(ids, 8)}  update checks are disabled in the configuration of the agent (UPDATE_DISABLED)`,
    );
    expect(out).toContain(`updated      ${at(ids, 7)}  keeps running 3.4.0 until the agent is restarted`);
    expect(out).toContain(`not started  ${at(ids, 9)}  no command was sent`);
    expect(out).toContain('\n5 done, 9 not started, 2 updated but not restarted, 1 failed.\n');
    expect(commands().at(-1)).toBe(`${at(ids, 8)} update`);

    expect((await sluice(['sessions', 'stop', at(ids, 8)])).code).toBe(0);
    const before = commands().length;
    const again = await sluice([...wordsOf(resumption(out)), '--yes']);
    expect(again.code).toBe(0);
    expect(again.out).toContain('\n11 done, 5 up to date.\n');
    expect(
      commands()
        .slice(before)
        .filter((command) => command.endsWith(' restart')),
    ).toHaveLength(11);
  });

  test('stops at the one that never comes back, within the time it was given', async () => {
    const { sluice, ids, clock, fewestOnline } = await fleet(twenty({ 8: { returns: false } }));
    const since = clock.now();
    const { code, out } = await sluice([...all, '5', '--timeout', '60', '--yes']);
    expect(code).toBe(6);
    expect(out).toContain(
      `failed       ${at(ids, 8)}  the agent was restarted but has not reconnected with a new session after 60 s (NOT_RECONNECTED)`,
    );
    expect(out).toContain('\n9 done, 7 not started, 1 failed.\n');
    expect(fewestOnline()).toBe(15);
    expect(clock.now() - since).toBeLessThan(120_000);
    const again = await sluice([...wordsOf(resumption(out)), '--yes']);
    expect(again).toMatchObject({ code: 0 });
    expect(again.out).toContain('\n7 done, 9 up to date.\n');
  });

  test('gets past both in as many runs, and never restarts an agent twice', async () => {
    const { sluice, ids, commands } = await fleet(twenty({ 5: { returns: false }, 12: { updates: false } }));
    const first = await sluice([...all, '2', '--yes']);
    expect(first.out).toContain(`failed       ${at(ids, 5)}  the agent was restarted but has not reconnected`);
    const second = await sluice([...wordsOf(resumption(first.out)), '--yes']);
    expect(second.out).toContain(
      `failed       ${at(ids, 12)}  update checks are disabled in the configuration of the agent`,
    );
    await sluice(['sessions', 'stop', at(ids, 12)]);
    const third = await sluice([...wordsOf(resumption(second.out)), '--yes']);
    expect([first.code, second.code, third.code]).toEqual([6, 6, 0]);
    const restarts = commands().filter((command) => command.endsWith(' restart'));
    expect(restarts).toHaveLength(16);
    expect(new Set(restarts).size).toBe(16);
  });

  test('tells the same as JSON and as YAML', async () => {
    for (const format of ['json', 'yaml']) {
      const { sluice, ids } = await fleet(twenty({ 0: { updates: false }, 8: { returns: false } }));
      const { code, out } = await sluice([...all, '5', '--yes', '--format', format]);
      expect(code).toBe(1);
      expect(parse(out)).toMatchObject({
        plan: { steps: ['update', 'restart'], max_unavailable: 5, skipped: [{ id: at(ids, 3) }, {}, {}] },
        outcome: {
          interrupted: false,
          agents: [
            { id: at(ids, 0), ending: 'failed', code: 'UPDATE_DISABLED' },
            { ending: 'not-started' },
            ...rest(15),
          ],
          resume: 'sluice sessions rollout --update --restart --all --max-unavailable 5 --timeout 120',
        },
      });
    }
  });
});

describe('a rollout', () => {
  const two: readonly AgentSetup[] = [
    { available: '3.5.0', metadata: '{"site":"paris"}' },
    { available: '3.5.0', metadata: '{"site":"berlin"}' },
  ];

  test('shows its plan and asks; only yes begins it', async () => {
    const { sluice, commands } = await fleet(two);
    const terminal = { in: true, out: false, err: true };
    const asked = await sluice([...all, '1'], { terminal, ask: () => Promise.resolve('no') });
    expect(asked.code).toBe(1);
    expect(asked.out).toContain('Rollout to 2 agents');
    expect(asked.err).toContain('Nothing was sent.');
    expect(commands()).toEqual([]);
    expect((await sluice([...all, '1'], { terminal, ask: () => Promise.resolve('yes') })).code).toBe(0);
  });

  test('with --dry-run prints its plan and each request in order, and sends GETs only', async () => {
    const { sluice, ids, emulator } = await fleet(two);
    const { code, out } = await sluice([...all, '1', '--dry-run']);
    expect(code).toBe(0);
    expect(out).toContain('Rollout to 2 agents');
    const requests = ids.flatMap((id) =>
      ['update', 'restart'].map((command) => `POST /tunnel_sessions/${id}/${command}`),
    );
    expect(out.match(/^POST \S+/gm)).toEqual(requests);
    expect(emulator.log.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await sluice([...all, '1', '--yes'])).code).toBe(0);
    const sent = emulator.log.filter(({ method }) => method === 'POST').map(({ path }) => `POST ${path}`);
    expect(sent).toEqual(requests);
  });

  test('needs --auto-approve where nobody can be asked, and agents to go to', async () => {
    const { sluice } = await fleet(two);
    const unasked = await sluice([...all, '1']);
    expect(unasked.code).toBe(8);
    expect(unasked.err).toContain('--auto-approve');
    expect((await sluice(['sessions', 'rollout', '--yes'])).err).toContain('no agents are selected');
    expect((await sluice(['sessions', 'rollout', '--region', 'mars', '--yes'])).out).toContain(
      'No matching agents are online',
    );
  });

  test('that only updates restarts nobody', async () => {
    const { sluice, commands } = await fleet(two);
    const { code, out } = await sluice([...all, '1', '--update', '--yes']);
    expect(code).toBe(0);
    expect(out).toContain('Agents are not restarted: each agent runs its old version until its restart.');
    expect(out).toContain('\n2 updated.\n');
    expect(commands().every((command) => command.endsWith(' update'))).toBe(true);
  });

  test('restarts an agent that has updated already, and leaves the newest alone', async () => {
    const { sluice, ids, clock, commands } = await fleet([...two, { version: '3.5.0' }]);
    await sluice(['sessions', 'update', at(ids, 0)]);
    await clock.sleep(11_000);
    const { code, out } = await sluice([...all, '3', '--yes']);
    expect(code).toBe(0);
    expect(out).toContain(`up to date   ${at(ids, 2)}  no newer version than 3.5.0 is available; not restarted`);
    expect(commands().filter((command) => command.endsWith(' restart'))).toHaveLength(2);
  });

  test('that only restarts goes on with those that were not restarted since it began', async () => {
    const { sluice, ids, emulator, commands } = await fleet([...two, { returns: false }, ...two]);
    const stopped = await sluice([...all, '1', '--restart', '--yes']);
    expect(stopped.code).toBe(6);
    expect(resumption(stopped.out)).toContain('--started-before 2026-03-02T09:00:06Z');
    emulator.addAgent({ ip: '192.0.2.99' });
    const before = commands().length;
    expect((await sluice([...wordsOf(resumption(stopped.out)), '--yes'])).code).toBe(0);
    expect(commands().slice(before)).toEqual([`${at(ids, 3)} restart`, `${at(ids, 4)} restart`]);
  });

  test('of named agents goes on with those that are left', async () => {
    const { sluice, ids } = await fleet([{ available: '3.5.0' }, { updates: false }, { available: '3.5.0' }]);
    const { out } = await sluice(['sessions', 'rollout', ...ids, '--yes']);
    expect(resumption(out)).toBe(
      `sluice sessions rollout --update --restart ${at(ids, 1)} ${at(ids, 2)} --max-unavailable 1 --timeout 120`,
    );
  });

  test('counts duplicates, and notices when one of them does not come back', async () => {
    const duplicate: AgentSetup = { ip: '192.0.2.7', available: '3.5.0' };
    const { sluice } = await fleet([duplicate, duplicate, { ...duplicate, returns: false }, duplicate]);
    const { code, out } = await sluice([...all, '4', '--yes']);
    expect(out).toContain('4 of these agents cannot be distinguished');
    expect(out).toContain('\n3 done, 1 failed.\n');
    expect(code).toBe(6);
  });

  test('sees a restart whose response was lost through, and sends it once', async () => {
    const { sluice, emulator, commands } = await fleet(two);
    let lost = 0;
    emulator.intercept(async ({ path }, next) => {
      const answer = await next();
      return path.endsWith('/restart') && lost++ === 0 ? { ...answer, broken: { how: 'reset' } } : answer;
    });
    const { code, out } = await sluice([...all, '2', '--yes']);
    expect(code).toBe(0);
    expect(out).toContain('\n2 done.\n');
    expect(commands().filter((command) => command.endsWith(' restart'))).toHaveLength(2);
  });

  test('stops at an update whose response was lost: it may have begun', async () => {
    const { sluice, emulator, ids, commands } = await fleet(two);
    emulator.intercept(async ({ method }, next) => {
      const answer = await next();
      return method === 'POST' ? { ...answer, broken: { how: 'reset' } } : answer;
    });
    const { code, out } = await sluice([...all, '2', '--yes']);
    expect(code).toBe(6);
    expect(out).toMatch(new RegExp(`^unknown      ${at(ids, 0)}  .*may have been executed and is not sent again`, 'm'));
    expect(commands()).toEqual([`${at(ids, 0)} update`]);
  });

  test('stops at an agent that reconnects with its old version', async () => {
    const { sluice, emulator } = await fleet(two);
    // The update is accepted, and nothing comes of it.
    emulator.intercept(({ path }, next) =>
      path.endsWith('/update') ? { status: 204, headers: {}, body: '' } : next(),
    );
    const { code, out } = await sluice([...all, '1', '--yes']);
    expect(code).toBe(6);
    expect(out).toMatch(/^failed .* with its old version 3\.4\.0: the update did not complete \(VERSION_UNCHANGED\)$/m);
    expect(out).toContain('\n1 not started, 1 failed.\n');
  });

  test('leaves out an agent that goes offline without a command', async () => {
    const { sluice, emulator, ids } = await fleet(two);
    let reported = false;
    emulator.intercept(async ({ path, headers }, next) => {
      const answer = await next();
      if (path.endsWith('/update') && !reported) {
        reported = true;
        await emulator.handle({ method: 'POST', path: path.replace('update', 'stop'), headers: given(headers) });
      }
      return answer;
    });
    const { code, out } = await sluice([...all, '1', '--yes']);
    expect(code).toBe(0);
    expect(out).toContain(`offline      ${at(ids, 0)}  went offline during the rollout`);
    expect(out).toContain('\n1 done, 1 offline.\n');
  });

  test('that Ctrl-C ends during the ten seconds tells what is updated, and exits with 130', async () => {
    const { sluice, clock, ids, commands } = await fleet(two);
    const { code, out } = await sluice([...all, '1', '--yes'], interruptedAsleep(clock));
    expect(code).toBe(130);
    expect(out).toContain(`updated      ${at(ids, 0)}`);
    expect(out).toContain('\n1 not started, 1 updated but not restarted.\n');
    expect(commands()).toEqual([`${at(ids, 0)} update`]);
  });
});

function at(ids: Fleet['ids'], index: number): string {
  const id = ids[index];
  if (id === undefined) throw new Error(`there is no agent ${index}`);
  return id;
}

function given(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return { authorization: headers['authorization'] ?? '', 'example-version': '2' };
}

function rest(many: number): object[] {
  return Array.from({ length: many }, () => ({ ending: 'not-started' }));
}

function versions(json: string): string[] {
  const { sessions } = JSON.parse(json) as { sessions: { agent_version: string; os: string }[] };
  return sessions.map(({ agent_version, os }) => `${agent_version} ${os}`).sort();
}

/** The command that a rollout says goes on with it. */
function resumption(out: string): string {
  return /To continue the rollout, run:\n {2}(.*)\n/.exec(out)?.[1] ?? '';
}
