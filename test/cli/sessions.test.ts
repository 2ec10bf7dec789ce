import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { AgentSetup } from '../../src/emulator/agents/agents.ts';
import { fleet, type Fleet } from './fleet.ts';
import { directory, sluice as inDirectory, stack } from './terminal.ts';

const office: readonly AgentSetup[] = [
  { region: 'eu', version: '3.4.0', ip: '192.0.2.1', credential: 'cr_office', metadata: '{"site":"berlin","floor":3}' },
  { region: 'eu', version: '3.5.1', ip: '192.0.2.2', credential: 'cr_office', metadata: 'paris = home' },
  { region: 'us', version: '4.0.0-rc.1', ip: '192.0.2.3', credential: 'cr_shop', os: 'Windows Server 2022' },
  { region: 'us', version: '2', ip: '192.0.2.4', credential: 'cr_shop', os: 'darwin' },
  { region: 'us', version: 'nightly', ip: '192.0.2.5', credential: 'cr_shop', os: 'linux' },
];

describe('sessions list', () => {
  test('is a table for people', async () => {
    const { sluice, ids } = await fleet(office.slice(0, 1));
    const { code, out } = await sluice(['sessions', 'list']);
    expect(code).toBe(0);
    expect(out.replaceAll(/ +/g, ' ')).toBe(
      `ID VERSION OS REGION IP CREDENTIAL STARTED METADATA\n${at(ids, 0)} 3.4.0 linux eu 192.0.2.1 cr_office 2026-03-02T09:00:01Z {"site":"berlin","floor":3}\n`,
    );
  });

  test.each([
    ['--region eu', [0, 1]],
    ['--region eu --region us', [0, 1, 2, 3, 4]],
    ['--os windows*', [2]],
    ['--os win', []],
    ['--os LINUX --region us', [4]],
    ['--version <3.5.0', [0, 3]],
    ['--version 3.x', [0, 1]],
    ['--version >=3.5.0', [1, 2]],
    ['--version 2.0.0', [3]],
    ['--version *', [0, 1, 2, 3]],
    ['--credential cr_shop --os *in*', [2, 3, 4]],
    ['--metadata site=berlin', [0]],
    ['--metadata floor=3', [0]],
    ['--metadata site=b*n', [0]],
    ['--metadata toString=*', []],
    ['--metadata paris*', [1]],
    ['--metadata paris*=*home', [1]],
    ['--started-before 2026-03-02T09:00:03Z', [0, 1]],
    ['--started-before 2026-03-02T10:00:03+01:00', [0, 1]],
  ])('with %s shows agents %j', async (conditions, expected) => {
    const { sluice, ids } = await fleet(office);
    const { out } = await sluice(['--format', 'json', 'sessions', 'list', ...conditions.split(' ')]);
    expect(idsIn(out).map((id) => ids.indexOf(id))).toEqual(expected);
  });

  test('reads every page, and takes ids with conditions', async () => {
    const { sluice, ids } = await fleet(office, { pageSize: 2, nextPageUri: 'path' });
    expect(idsIn((await sluice(['sessions', 'list', '--format', 'json'])).out)).toEqual(ids);
    const named = await sluice(['sessions', 'list', at(ids, 3), at(ids, 1), '--region', 'us', '--format', 'json']);
    expect(idsIn(named.out)).toEqual([at(ids, 3)]);
  });

  test.each([
    ['--version three', 'is not a version range'],
    ['--started-before yesterday', 'is not a time'],
  ])('refuses %s: %s', async (args, reported) => {
    const { sluice } = await fleet(office);
    const { code, err } = await sluice(['sessions', 'list', ...args.split(' ')]);
    expect(code).toBe(8);
    expect(err).toContain(reported);
  });

  test('shows what agents say of themselves without letting it act', async () => {
    const evil = '\u{1b}[2Jgone\u{202e}\u{9b}1m';
    const { sluice, ids } = await fleet([{ metadata: evil, os: evil }]);
    for (const args of [['list'], ['get', at(ids, 0)], ['list', '--format', 'json'], ['list', '--format', 'yaml']]) {
      const { out } = await sluice(['sessions', ...args]);
      expect(out).not.toMatch(/[\u{1b}\u{202e}\u{9b}]/u);
      expect(out).toContain('gone');
    }
    expect(parse((await sluice(['sessions', 'list', '--format', 'yaml'])).out)).toMatchObject({
      sessions: [{ metadata: evil }],
    });
  });
});

describe('sessions get', () => {
  test('shows everything of one agent, as text, JSON and YAML', async () => {
    const { sluice, ids } = await fleet(office);
    expect((await sluice(['sessions', 'get', at(ids, 0)])).out).toMatch(
      /^agent_version {2}3\.4\.0\ncredential {5}cr_office$/m,
    );
    for (const format of ['json', 'yaml'])
      expect(parse((await sluice(['sessions', 'get', at(ids, 0), '--format', format])).out)).toMatchObject({
        format_version: '1.0',
        session: { id: at(ids, 0), agent_version: '3.4.0', credential: { id: 'cr_office' }, transport: 'example/2' },
      });
  });

  test('reports when there is no such agent', async () => {
    const { sluice } = await fleet([]);
    expect(await sluice(['sessions', 'get', 'ts_nobody'])).toMatchObject({ code: 1, out: '' });
    expect(await sluice(['sessions', 'list', 'ts_nobody'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no agent session "ts_nobody" is online') as string,
    });
  });
});

describe('a command to agents', () => {
  test.each([
    ['update', { available: '3.5.0' }, 'updating'],
    ['restart', {}, 'restarting'],
    ['stop', {}, 'stopping'],
  ])('%s is sent to each once', async (command, agent, reported) => {
    const { sluice, ids, commands, emulator } = await fleet([agent, agent]);
    const { code, out } = await sluice(['sessions', command, ...ids, '--yes']);
    expect(code).toBe(0);
    expect(out).toBe(ids.map((id) => `${id}  ${reported}\n`).join(''));
    expect(commands()).toEqual(ids.map((id) => `${id} ${command}`));
    expect(emulator.log.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual(['{}', '{}']);
  });

  test.each([
    [
      'update',
      {},
      'no newer version than 3.4.0 is available',
      'install the new version on the machine',
      'UPDATE_NOT_AVAILABLE',
    ],
    [
      'update',
      { available: '4.0.0' },
      'within the same major version',
      'to change the major version',
      'UPDATE_NOT_AVAILABLE',
    ],
    ['update', { updates: false }, 'update checks are disabled', 'configuration file', 'UPDATE_DISABLED'],
    ['restart', { os: 'Windows 11' }, 'cannot be restarted remotely', 'restart the service', 'RESTART_NOT_SUPPORTED'],
  ])('%s that is refused reports why and what to do: %j', async (command, agent, why, advice, refusal) => {
    const { sluice, ids } = await fleet([agent]);
    const { code, out } = await sluice(['sessions', command, at(ids, 0)]);
    expect(code).toBe(1);
    expect(out).toMatch(new RegExp(`^${at(ids, 0)} {2}failed: .*${why}.* \\(${refusal}\\)\n {4}.*${advice}`));
    expect(JSON.parse((await sluice(['--format', 'json', 'sessions', command, at(ids, 0)])).out)).toMatchObject({
      command,
      sessions: [{ id: at(ids, 0), ending: 'failed', code: refusal, status: 400 }],
    });
  });

  test('update reports that one is under way, and later that a restart is needed', async () => {
    const { sluice, ids, clock } = await fleet([{ available: '3.5.0' }]);
    const update = ['sessions', 'update', at(ids, 0)];
    expect((await sluice(update)).code).toBe(0);
    expect((await sluice(update)).out).toContain(
      'the agent is already being updated (UPDATE_IN_PROGRESS)\n    wait ten seconds',
    );
    await clock.sleep(10_000);
    expect((await sluice(update)).out).toContain(
      `(UPDATE_NEEDS_RESTART)\n    run \`sluice sessions restart ${at(ids, 0)}\` to complete the update`,
    );
  });

  test('tells a refusal it does not know in the words of the service', async () => {
    const { sluice, emulator, ids } = await fleet([{}]);
    emulator.intercept(({ method }, next) =>
      method === 'POST' ? refusal({ msg: 'The agent is on holiday.\u{1b}[31m', error_code: 'HOLIDAY' }) : next(),
    );
    expect((await sluice(['sessions', 'update', at(ids, 0)])).out).toContain(
      'failed: The agent is on holiday.\\u{1b}[31m (HOLIDAY)',
    );
    emulator.intercept(({ method }, next) => (method === 'POST' ? refusal({ msg: 'No.' }) : next()));
    expect((await sluice(['sessions', 'update', at(ids, 0)])).out).toContain('failed: No. (API_REFUSED)');
  });

  test('goes on past one that refuses, and exits with 6', async () => {
    const { sluice, out } = await refusingOne();
    expect(sluice.code).toBe(6);
    expect(out).toEqual(['restarting', 'failed', 'restarting']);
  });

  test('is unknown when its response was lost, and never sent again', async () => {
    const { sluice, emulator, ids, commands } = await fleet([{}]);
    emulator.intercept(async ({ method }, next) => {
      const answer = await next();
      return method === 'POST' ? { ...answer, broken: { how: 'reset' } } : answer;
    });
    const { code, out } = await sluice(['sessions', 'stop', at(ids, 0)]);
    expect(code).toBe(6);
    expect(out).toContain('unknown: ');
    expect(out).toContain('may have been executed and is not sent again');
    expect(commands()).toEqual([`${at(ids, 0)} stop`]);
  });

  test.each([409, 429, 500, 503])('answered with %i is not sent again either', async (status) => {
    const { sluice, emulator, ids, commands } = await fleet([{}]);
    emulator.intercept(({ method }, next) =>
      method === 'POST' ? { ...refusal({ msg: 'Later.' }), status, headers: { 'retry-after': '1' } } : next(),
    );
    expect((await sluice(['sessions', 'restart', at(ids, 0)])).code).toBe(6);
    expect(commands()).toHaveLength(1);
  });

  test('exits with 7 when the key may not, and begins no more', async () => {
    const { sluice, emulator, commands } = await fleet(Array.from({ length: 30 }, () => ({})));
    emulator.intercept(({ method }, next) =>
      method === 'POST' ? { ...refusal({ msg: 'Not yours.' }), status: 403 } : next(),
    );
    const { code, out } = await sluice(['sessions', 'restart', '--all', '--yes']);
    expect(code).toBe(7);
    expect(commands().length).toBeLessThanOrEqual(10);
    expect(out).toContain('no command was sent');
    const wrong = await sluice(['sessions', 'list'], { env: {} });
    expect(wrong.code).toBe(8);
  });

  test('reaches --all only after asking, or with --yes', async () => {
    const { sluice, commands } = await fleet([{}, {}]);
    expect(await sluice(['sessions', 'stop', '--all'])).toMatchObject({ code: 8, out: '' });
    const terminal = { in: true, out: false, err: true };
    let question = '';
    const ask = (text: string): Promise<string> => {
      question = text;
      return Promise.resolve('n');
    };
    const declined = await sluice(['sessions', 'stop', '--all'], { terminal, ask });
    expect(declined).toMatchObject({ code: 1, err: 'Not approved. Nothing was sent.\n' });
    expect(question).toContain('stop all 2 online agents?');
    expect(commands()).toEqual([]);
    expect((await sluice(['sessions', 'stop', '--all', '--yes'])).code).toBe(0);
    expect((await sluice(['sessions', 'stop', '--all', '--yes'])).out).toContain('Nothing was sent.');
  });

  test.each([['--os *'], ['--region eu'], ['ID ID']])('asks before it reaches two agents by %s', async (selection) => {
    const { sluice, commands, ids } = await fleet([{ region: 'eu' }, { region: 'eu' }]);
    const args = ['sessions', 'stop', ...(selection === 'ID ID' ? ids : selection.split(' '))];
    expect(await sluice(args)).toMatchObject({ code: 8, out: '' });
    const terminal = { in: true, out: false, err: true };
    const asked = await sluice(args, { terminal, ask: () => Promise.resolve('y') });
    expect(asked).toMatchObject({ code: 1, err: 'Not approved. Nothing was sent.\n' });
    expect(commands()).toEqual([]);
    expect((await sluice([...args, '--yes'])).code).toBe(0);
    expect(commands()).toHaveLength(2);
  });

  test.each(['restart', 'stop', 'update'])(
    '%s --dry-run prints what it would send, and sends GETs only',
    async (command) => {
      const { sluice, ids, emulator } = await fleet([{}, {}]);
      const { code, out } = await sluice(['sessions', command, '--all', '--dry-run']);
      expect(code).toBe(0);
      const lines = ids.map((id) => `POST /tunnel_sessions/${id}/${command} {}\n`);
      expect(out).toBe(`${lines.join('')}Dry run: nothing was sent.\n`);
      const json = await sluice(['--format', 'json', 'sessions', command, '--all', '--dry-run']);
      expect(JSON.parse(json.out)).toMatchObject({
        command,
        dry_run: true,
        requests: ids.map(() => ({ method: 'POST' })),
      });
      expect(emulator.log.filter(({ method }) => method !== 'GET')).toEqual([]);
      await sluice(['sessions', command, '--all', '--yes']);
      const sent = emulator.log
        .filter(({ method }) => method === 'POST')
        .map(({ path, body }) => `POST ${path} ${body}\n`);
      expect(sent.sort()).toEqual(lines.sort());
    },
  );

  test.each([['sessions stop'], ['sessions stop --all --region eu --yes'], ['sessions stop --all ts_1 --yes']])(
    'refuses `%s`',
    async (args) => {
      const { sluice, commands } = await fleet([{}]);
      expect(await sluice(args.split(' '))).toMatchObject({ code: 8, out: '' });
      expect(commands()).toEqual([]);
    },
  );
});

describe('the help', () => {
  test.each([
    'sessions list',
    'sessions get',
    'sessions restart',
    'sessions stop',
    'sessions update',
    'sessions rollout',
    'endpoints list',
    'endpoints get',
    'abuse-reports create',
    'abuse-reports get',
  ])('of %s has examples', async (command) => {
    const { code, out } = await inDirectory(await directory(), `${command} --help`);
    expect(code).toBe(0);
    expect(out).toContain(`  $ sluice ${command}`);
  });
});

describe('without a stack', () => {
  test('the environment names the service, all of it', async () => {
    const dir = await directory();
    const { err, code } = await inDirectory(dir, 'sessions list', { env: { SLUICE_VENDOR: 'example' } });
    expect(code).toBe(8);
    expect(err).toContain('SLUICE_BASE_URL is not set');
    const env = { SLUICE_VENDOR: 'example', SLUICE_BASE_URL: 'embedded', SLUICE_API_KEY: 'any' };
    expect((await inDirectory(dir, 'endpoints list', { env })).err).toContain('run `sluice init` to create one');
  });

  test('is not needed: a stack names the service, and the emulator inside it too', async () => {
    const dir = await stack();
    expect(await inDirectory(dir, 'sessions list')).toMatchObject({
      code: 0,
      out: 'No matching agents are online.\n',
    });
    await inDirectory(dir, 'apply --auto-approve');
    expect((await inDirectory(dir, 'endpoints list')).out).toContain('https://shop.example.com');
  });
});

async function refusingOne(): Promise<{ sluice: { code: number }; out: string[] }> {
  const { sluice } = await fleet([{}, { os: 'windows' }, {}]);
  const ended = await sluice(['sessions', 'restart', '--region', 'us', '--yes']);
  return { sluice: ended, out: [...ended.out.matchAll(/^ts_\w+ {2}(\w+)/gm)].map(([, word]) => word ?? '') };
}

function refusal(body: Readonly<Record<string, string>>): {
  status: number;
  headers: Record<string, string>;
  body: string;
} {
  return {
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status_code: 400, details: {}, ...body }),
  };
}

function at(ids: Fleet['ids'], index: number): string {
  return ids[index] ?? '';
}

function idsIn(json: string): string[] {
  return (JSON.parse(json) as { sessions: { id: string }[] }).sessions.map(({ id }) => id);
}
