import { expect, test } from 'vitest';
import type { AgentSetup } from '../../../src/emulator/agents/agents.ts';
import { setUp } from '../support/setup.ts';

function withAgent(agent: AgentSetup = {}) {
  const all = setUp();
  const id = all.emulator.addAgent(agent);
  const tell = (command: string) => all.call('POST', `/tunnel_sessions/${id}/${command}`, {});
  const online = async () =>
    (await all.call('GET', '/tunnel_sessions')).body['tunnel_sessions'] as readonly Record<string, unknown>[];
  return { ...all, id, tell, online };
}

test('an agent that is online is a session', async () => {
  const { call, id } = withAgent({ ip: '192.0.2.7', metadata: 'rack 3' });
  expect((await call('GET', `/tunnel_sessions/${id}`)).body).toEqual({
    id,
    uri: `http://emulator.invalid/tunnel_sessions/${id}`,
    agent_version: '3.4.0',
    credential: { id: 'cr_emulated', uri: 'http://emulator.invalid/credentials/cr_emulated' },
    ip: '192.0.2.7',
    metadata: 'rack 3',
    os: 'linux',
    region: 'us',
    started_at: '2027-03-01T12:00:00Z',
    transport: 'example/2',
  });
});

test('stop takes it off the list for good', async () => {
  const { tell, online, pass } = withAgent();
  expect((await tell('stop')).status).toBe(204);
  pass(3600);
  expect(await online()).toEqual([]);
});

test('after a restart it is back in a moment under a new id, with its endpoints', async () => {
  const { call, id, tell, online, pass } = withAgent({ tunnels: [{ proto: 'https', hostport: 'a.example.com:443' }] });
  expect((await tell('restart')).status).toBe(204);
  expect(await online()).toEqual([]);
  pass(2);
  const [session] = await online();
  expect(session).toMatchObject({ started_at: '2027-03-01T12:00:02Z', agent_version: '3.4.0' });
  expect(session?.['id']).not.toBe(id);
  expect((await call('GET', `/tunnel_sessions/${id}`)).status).toBe(404);
  expect((await call('GET', '/endpoints')).body['endpoints']).toHaveLength(1);
});

test('a command may repeat the id of its path, and contains nothing else', async () => {
  const { call, id } = withAgent({ available: '3.5.0' });
  const update = (body: object) => call('POST', `/tunnel_sessions/${id}/update`, body);
  expect((await update({ id: 'ts_other' })).body).toMatchObject({ status_code: 400, error_code: 'ID_MISMATCH' });
  expect((await update({ id, version: '4' })).body).toMatchObject({ status_code: 400, error_code: 'UNKNOWN_FIELD' });
  expect((await update({ id })).status).toBe(204);
});

test('an agent on Windows cannot be restarted', async () => {
  const { tell } = withAgent({ os: 'windows' });
  expect((await tell('restart')).body).toMatchObject({ status_code: 400, error_code: 'RESTART_NOT_SUPPORTED' });
});

test('an update and a restart ten seconds later bring the new version', async () => {
  const { tell, online, pass } = withAgent({ available: '3.5.0' });
  expect((await tell('update')).status).toBe(204);
  pass(10);
  await tell('restart');
  pass(2);
  expect(await online()).toMatchObject([{ agent_version: '3.5.0' }]);
});

test('a restart too soon undoes the update', async () => {
  const { call, tell, online, pass } = withAgent({ available: '3.5.0' });
  await tell('update');
  pass(9);
  expect((await tell('restart')).status).toBe(204);
  pass(2);
  const [session] = await online();
  expect(session).toMatchObject({ agent_version: '3.4.0' });
  expect((await call('POST', `/tunnel_sessions/${String(session?.['id'])}/update`, {})).status).toBe(204);
});

test.each([
  ['UPDATE_NOT_AVAILABLE', 'there is none', {}],
  ['UPDATE_NOT_AVAILABLE', 'it would be a new major version', { available: '4.0.0' }],
  ['UPDATE_DISABLED', 'the agent does not check for any', { available: '3.5.0', updates: false }],
])('an update is refused with %s when %s', async (code, _why, agent) => {
  const { tell } = withAgent(agent);
  expect((await tell('update')).body).toMatchObject({ status_code: 400, error_code: code });
});

test('a second update is refused while the first runs, and after it until a restart', async () => {
  const { tell, pass } = withAgent({ available: '3.5.0' });
  await tell('update');
  expect((await tell('update')).body['error_code']).toBe('UPDATE_IN_PROGRESS');
  pass(10);
  expect((await tell('update')).body['error_code']).toBe('UPDATE_NEEDS_RESTART');
});

test('an agent may never come back', async () => {
  const { tell, online, pass } = withAgent({ returns: false });
  await tell('restart');
  pass(86_400);
  expect(await online()).toEqual([]);
});

test('a command takes an empty object and nothing else', async () => {
  const { call, id } = withAgent();
  const path = `/tunnel_sessions/${id}/stop`;
  expect((await call('POST', path, { force: true })).status).toBe(400);
  expect((await call('GET', path)).headers['allow']).toBe('POST');
  expect((await call('POST', '/tunnel_sessions/ts_1/stop', {})).status).toBe(404);
});
