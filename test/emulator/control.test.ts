import { describe, expect, onTestFinished, test } from 'vitest';
import { serviceClock } from '../../src/emulator/service-clock.ts';
import { control } from '../../src/emulator/control/control.ts';
import { faultBoard } from '../../src/emulator/control/fault-board.ts';
import { isControl } from '../../src/emulator/control/admission.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { serve } from '../../src/emulator/http/server.ts';

/** An emulator on a socket with its control endpoints, and ways to speak to both. */
async function controlled(apiKey?: string) {
  const clock = serviceClock(new Date('2027-03-01T12:00:00Z'));
  const emulator = createEmulator({ seed: 'control', clock: clock.now });
  const answer = control({ emulator, clock, faults: faultBoard(emulator), apiKey });
  const { url, close } = await serve((request) =>
    isControl(request.path) ? answer(request) : emulator.handle(request),
  );
  onTestFinished(close);
  const send = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  };
  const api = (method: string, path: string, body?: unknown) =>
    send(method, path, body, { authorization: 'Bearer right', 'example-version': '2' });
  return { emulator, url, send, api };
}

describe('agents', () => {
  test('come, are listed, obey the API, and are taken away', async () => {
    const { send, api } = await controlled();
    const added = await send('POST', '/_emulator/agents', { os: 'darwin', available: '3.5.0' });
    expect(added.status).toBe(201);
    const session = `/tunnel_sessions/${String(added.body['id'])}`;
    expect((await api('GET', session)).body).toMatchObject({ os: 'darwin', agent_version: '3.4.0' });
    expect((await send('GET', '/_emulator/agents')).body['agents']).toMatchObject([{ os: 'darwin', updates: true }]);
    expect((await send('DELETE', `/_emulator/agents/${String(added.body['id'])}`)).status).toBe(204);
    expect((await api('GET', session)).status).toBe(404);
    expect((await send('DELETE', '/_emulator/agents/ts_none')).status).toBe(404);
  });

  test('are refused when they are set up wrongly', async () => {
    const { send } = await controlled();
    const { status, body } = await send('POST', '/_emulator/agents', { oss: 'linux' });
    expect(status).toBe(400);
    expect(body['msg']).toContain('oss');
  });
});

describe('faults', () => {
  test('are put in the place of others, and cleared', async () => {
    const { send, api } = await controlled();
    const set = await send('PUT', '/_emulator/faults', { faults: ['status-before=503@GET:*:0'] });
    expect(set.body).toEqual({ requests: 0, faults: ['status-before=503@GET:*:0'] });
    expect((await api('GET', '/reserved_addrs')).status).toBe(503);
    await send('PUT', '/_emulator/faults', { faults: ['status-before=409@POST:*:0'] });
    expect((await api('GET', '/reserved_addrs')).status).toBe(200);
    expect((await api('POST', '/reserved_addrs', {})).status).toBe(409);
    await send('DELETE', '/_emulator/faults');
    expect((await api('POST', '/reserved_addrs', {})).status).toBe(201);
    expect((await send('GET', '/_emulator/faults')).body).toEqual({ requests: 4, faults: [] });
  });

  test('that are none leave everything as it was', async () => {
    const { send } = await controlled();
    await send('PUT', '/_emulator/faults', { faults: ['empty@#9'] });
    const refused = await send('PUT', '/_emulator/faults', { faults: ['empty@#8', 'explode@#1'] });
    expect([refused.status, refused.body['msg']]).toEqual([400, 'invalid fault to inject: "explode@#1"']);
    expect((await send('GET', '/_emulator/faults')).body['faults']).toEqual(['empty@#9']);
  });
});

describe('the clock', () => {
  test('moves on when asked, by seconds or to a moment, and never back', async () => {
    const { send, api } = await controlled();
    expect((await send('GET', '/_emulator/clock')).body).toEqual({ now: '2027-03-01T12:00:00.000Z', frozen: true });
    await send('POST', '/_emulator/clock', { advance: 90 });
    expect((await api('POST', '/reserved_addrs', {})).body['created_at']).toBe('2027-03-01T12:01:30Z');
    await send('POST', '/_emulator/clock', { now: '2028-01-01T00:00:00Z' });
    expect((await api('POST', '/reserved_addrs', {})).body['created_at']).toBe('2028-01-01T00:00:00Z');
    expect((await send('POST', '/_emulator/clock', { now: '2027-01-01T00:00:00Z' })).status).toBe(400);
    expect((await send('POST', '/_emulator/clock', { advance: -1 })).status).toBe(400);
  });

  test('brings an agent back that was restarted', async () => {
    const { send, api } = await controlled();
    const { body } = await send('POST', '/_emulator/agents', {});
    await api('POST', `/tunnel_sessions/${String(body['id'])}/restart`, {});
    expect((await api('GET', '/tunnel_sessions')).body['tunnel_sessions']).toEqual([]);
    await send('POST', '/_emulator/clock', { advance: 2 });
    expect((await api('GET', '/tunnel_sessions')).body['tunnel_sessions']).toHaveLength(1);
  });
});

describe('the account', () => {
  test('is taken as it is and put back later, however large', async () => {
    const { send, api } = await controlled();
    for (let n = 0; n < 300; n++) await api('POST', '/reserved_addrs', { metadata: 'x'.repeat(4096) });
    const { body: before } = await api('GET', '/reserved_addrs');
    const { body: account } = await send('GET', '/_emulator/account');
    expect(JSON.stringify(account).length).toBeGreaterThan(1_048_576);
    await api('POST', '/reserved_addrs', {});
    expect((await send('PUT', '/_emulator/account', account)).status).toBe(204);
    expect((await api('GET', '/reserved_addrs')).body).toEqual(before);
    expect((await send('PUT', '/_emulator/account', { format: 1 })).status).toBe(400);
  });
});

describe('certificates', () => {
  test('fail and come right again', async () => {
    const { send, api } = await controlled();
    const made = await api('POST', '/agent_ingresses', {
      domain: 'agents.example.com',
      certificate_management_policy: { authority: 'free-ca' },
    });
    const job = async () => {
      const { body } = await api('GET', `/agent_ingresses/${String(made.body['id'])}`);
      return (body['certificate_management_status'] as { provisioning_job: unknown }).provisioning_job;
    };
    await send('POST', '/_emulator/certificates', { domain: 'agents.example.com', failure: 'DNS_ERROR' });
    expect(await job()).toMatchObject({ error_code: 'DNS_ERROR' });
    await send('POST', '/_emulator/certificates', { domain: 'agents.example.com', failure: null });
    expect(await job()).not.toHaveProperty('error_code');
  });
});

describe('the door', () => {
  test('is open to this machine alone, and not to pages in a browser', async () => {
    const { send, emulator } = await controlled();
    expect((await send('GET', '/_emulator/account', undefined, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await send('DELETE', '/_emulator/faults', undefined, { origin: 'http://evil.example' })).status).toBe(403);
    const clock = serviceClock();
    const answer = control({ emulator, clock, faults: faultBoard(emulator), apiKey: undefined });
    const ask = (from: string, host: string) =>
      answer({ method: 'GET', path: '/_emulator/clock', from, headers: { host } }).status;
    expect(ask('127.0.0.1', '127.0.0.1:8080')).toBe(200);
    expect(ask('::1', 'localhost:8080')).toBe(200);
    expect(ask('192.0.2.7', '192.0.2.1:8080')).toBe(403);
    expect(ask('127.0.0.1', 'rebound.example:8080')).toBe(403);
  });

  test('takes JSON alone, and the key where there is one', async () => {
    const { send } = await controlled('right');
    expect((await send('GET', '/_emulator/clock')).status).toBe(401);
    const key = { authorization: 'Bearer right' };
    expect((await send('GET', '/_emulator/clock', undefined, key)).status).toBe(200);
    expect(
      (await send('POST', '/_emulator/clock', { advance: 1 }, { ...key, 'content-type': 'text/plain' })).status,
    ).toBe(415);
    expect((await send('GET', '/_emulator/nothing', undefined, key)).status).toBe(404);
  });

  test('is no part of the API: such requests are neither counted nor logged', async () => {
    const { emulator, send } = await controlled();
    await send('GET', '/_emulator/clock');
    expect([emulator.count(), emulator.log]).toEqual([0, []]);
  });
});
