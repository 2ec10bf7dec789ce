import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { Dispatcher } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Clock } from '../../../src/api/clock.ts';
import { openConnections } from '../../../src/api/connection/network.ts';
import { notificationEvents } from '../../../src/manifest/stack-file/watch-schema.ts';
import { notificationMessage } from '../../../src/watch/notify/notification-message.ts';
import {
  createNotifier,
  type Notifier,
  type NotifyOptions,
  type Receiver,
} from '../../../src/watch/notify/notifier.ts';
import { hostile } from '../../render/hostile-text.ts';
import { connectProxy } from '../../support/connect-proxy.ts';
import { httpService } from '../../support/http-service.ts';
import { noon } from '../company.ts';
import { statusOfTexts } from '../hostile-status.ts';
import { allWell, awaitedDigest, awaiting, inTrouble } from '../statuses.ts';
import { openNotifications } from './open-notifications.ts';

const waitsForNothing: Clock = { now: () => 0, sleep: () => Promise.resolve(), random: () => 0.5 };

function notifier(
  receivers: readonly Receiver[],
  options: Partial<NotifyOptions> = {},
): Notifier & { readonly troubles: readonly string[] } {
  const troubles: string[] = [];
  const { dispatcher, close } = openConnections({ proxy: { env: {} } });
  const made = createNotifier({
    dispatcher,
    receivers,
    clock: waitsForNothing,
    now: () => noon,
    onFailure: (receiver, reason) => troubles.push(`${receiver} ${reason}`),
    ...options,
  });
  onTestFinished(async () => {
    await made.close();
    await close();
  });
  return { ...made, troubles };
}

/** Its own connections, through a proxy. */
function through(proxy: string): Dispatcher {
  const { dispatcher, close } = openConnections({ proxy: { env: { HTTP_PROXY: proxy } } });
  onTestFinished(close);
  return dispatcher;
}

function receiver(url: string | undefined, facts: Partial<Receiver> = {}): Receiver {
  return { name: 'watch.notify[0]', url: () => url, format: 'generic', on: notificationEvents, ...facts };
}

describe('a receiver', () => {
  test('gets JSON, signed over the moment and the body', async () => {
    const service = await httpService((_, response) => response.writeHead(204).end());
    const { publish, idle } = notifier([receiver(`${service.url}/hook?token=1`, { secret: () => 'hunter2' })]);
    publish(awaiting);
    await idle();
    const [{ path, body, headers }] = service.requests as [(typeof service.requests)[number]];
    expect(path).toBe('/hook?token=1');
    expect(JSON.parse(body)).toMatchObject({
      format_version: '1.0',
      event: 'action-required',
      stack: allWell.stack,
      command: `sluice approve ${awaitedDigest}`,
    });
    const timestamp = String(noon / 1000);
    expect(headers['sluice-timestamp']).toBe(timestamp);
    const expected = createHmac('sha256', 'hunter2').update(`${timestamp}.${body}`).digest('hex');
    expect(headers['sluice-signature']).toBe(`v1=${expected}`);
    expect(body).not.toContain('hunter2');
  });

  test('behind a proxy gets it through a tunnel', async () => {
    const service = await httpService((_, response) => response.writeHead(204).end());
    const proxy = await connectProxy({ routes: { 'hooks.example.test:80': Number(new URL(service.url).port) } });
    const { publish, idle, troubles } = notifier([receiver('http://hooks.example.test/hook')], {
      dispatcher: through(proxy.url),
    });
    publish(awaiting);
    await idle();
    expect(troubles).toEqual([]);
    expect(service.requests).toHaveLength(1);
    expect(proxy.received()).toMatch(/^CONNECT hooks\.example\.test:80 HTTP/);
  });

  test('behind a proxy that refuses it is reported with the proxy, without its URL', async () => {
    const proxy = await connectProxy({ credentials: 'a:b' });
    const { publish, idle, troubles } = notifier([receiver('http://canary.example.test/canary')], {
      dispatcher: through(proxy.url.replace('//', '//canary@')),
    });
    publish(awaiting);
    await idle();
    expect(troubles).toEqual([
      `watch.notify[0] action-required: the receiver did not respond through the proxy ${proxy.name} (PROXY_REFUSED)`,
    ]);
  });

  test('gets only what it asked for', async () => {
    const service = await httpService((_, response) => response.writeHead(200).end());
    const { publish, idle } = notifier([receiver(service.url, { on: ['drift-conflict'] })]);
    publish(allWell);
    publish(inTrouble);
    await idle();
    expect(service.requests.map(({ body }) => (JSON.parse(body) as { event: string }).event)).toEqual([
      'drift-conflict',
    ]);
  });

  test.each([429, 500, 503])('that answers %i is asked again', async (status) => {
    let asked = 0;
    const service = await httpService((_, response) => response.writeHead(++asked < 3 ? status : 200).end());
    const { publish, idle, troubles } = notifier([receiver(service.url)]);
    publish(awaiting);
    await idle();
    expect([asked, troubles]).toEqual([3, []]);
  });

  test('that never answers well is given up after six tries', async () => {
    const service = await httpService((_, response) => response.writeHead(500).end('no'));
    const { publish, idle, troubles } = notifier([receiver(service.url)]);
    publish(awaiting);
    await idle();
    expect(service.requests).toHaveLength(6);
    expect(troubles).toEqual(['watch.notify[0] action-required: the receiver returned 500']);
  });

  test.each([
    [0, [500, 2_500, 12_500, 60_000, 300_000]],
    [0.5, [1_000, 5_000, 25_000, 120_000, 600_000]],
    [1, [1_500, 7_500, 37_500, 180_000, 900_000]],
  ])('is asked again later and later, by chance (%d) earlier or later than others', async (chance, expected) => {
    const service = await httpService((_, response) => response.writeHead(503).end());
    const slept: number[] = [];
    const sleep = (ms: number) => Promise.resolve(void slept.push(ms));
    const { publish, idle } = notifier([receiver(service.url)], {
      clock: { now: () => 0, sleep, random: () => chance },
    });
    publish(awaiting);
    await idle();
    expect(slept).toEqual(expected);
  });

  test.each([200, 204, 299])('that answers %i has got it', async (status) => {
    const service = await httpService((_, response) => response.writeHead(status).end());
    const { publish, idle, troubles } = notifier([receiver(service.url)]);
    publish(awaiting);
    await idle();
    expect([service.requests.length, troubles]).toEqual([1, []]);
  });

  test('without a URL is not asked for it again', async () => {
    let asked = 0;
    const { publish, idle } = notifier([{ ...receiver(undefined), url: () => void (asked += 1) }]);
    publish(awaiting);
    await idle();
    expect(asked).toBe(1);
  });

  test('is not followed elsewhere', async () => {
    const elsewhere = await httpService((_, response) => response.writeHead(200).end());
    const service = await httpService((_, response) => response.writeHead(307, { location: elsewhere.url }).end());
    const { publish, idle, troubles } = notifier([receiver(service.url)]);
    publish(awaiting);
    await idle();
    expect([service.requests.length, elsewhere.requests.length]).toEqual([1, 0]);
    expect(troubles).toEqual(['watch.notify[0] action-required: the receiver returned 307']);
  });

  test.each([undefined, '', 'file:///etc/passwd', 'ftp://x.example', 'hooks.example'])('cannot be %j', async (url) => {
    const { publish, idle, troubles } = notifier([receiver(url)]);
    publish(awaiting);
    await idle();
    expect(troubles).toEqual(['watch.notify[0] action-required: the URL is missing or is not an http or https URL']);
  });

  test('that is not there is reported without its URL, which may be a secret', async () => {
    const { publish, idle, troubles } = notifier([receiver('http://127.0.0.1:1/hooks/hunter2')]);
    publish(awaiting);
    await idle();
    expect(troubles).toEqual(['watch.notify[0] action-required: the receiver did not respond (ECONNREFUSED)']);
  });

  test('that does not speak TLS is reported as such, not in the words of OpenSSL', async () => {
    const service = await httpService((_, response) => response.writeHead(204).end());
    const { publish, idle, troubles } = notifier([receiver(service.url.replace('http:', 'https:'))]);
    publish(awaiting);
    await idle();
    expect(troubles).toEqual(['watch.notify[0] action-required: the receiver did not respond (TLS_NOT_SPOKEN)']);
  });

  test('that does not answer in time is reported as such, after six tries', async () => {
    const timeouts: AbortController[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const timeout = new AbortController();
      timeouts.push(timeout);
      return timeout.signal;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const silent = await httpService(() => timeouts.at(-1)?.abort());
    const { publish, idle, troubles } = notifier([receiver(silent.url)]);
    publish(awaiting);
    await idle();
    expect(troubles).toEqual(['watch.notify[0] action-required: the receiver did not respond before the timeout']);
    expect(silent.requests).toHaveLength(6);
  });

  test('that is silent holds up nobody, and is left as soon as sluice stops', async () => {
    const silent = await httpService(() => undefined);
    let heard: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (heard = resolve));
    const service = await httpService((_, response) => {
      response.writeHead(200).end();
      heard();
    });
    const { publish, close, troubles } = notifier([receiver(silent.url, { name: 'silent' }), receiver(service.url)]);
    publish(awaiting);
    await arrived;
    await close();
    expect(service.requests).toHaveLength(1);
    expect(troubles).toContain('silent action-required: the notification was not sent: sluice is stopping');
  });

  const failing = (scope: string, message = 'no') => ({ scope, code: 'X', message, since: 0, attempts: 1 });
  const eventsOf = (service: { readonly requests: readonly { readonly body: string }[] }): unknown[] =>
    service.requests.map(({ body }) => (JSON.parse(body) as { event: string }).event);

  test('that does not take one event gets the others meanwhile, and news of this event at once, in one message', async () => {
    let refuses = true;
    const service = await httpService((request, response) => {
      const isRefused = refuses && request.body.includes('"event":"failed"');
      response.writeHead(isRefused ? 500 : 200).end();
    });
    // Nobody waits for the next attempt: it comes with the news.
    const sleep: Clock['sleep'] = (_, signal) => new Promise((done) => signal?.addEventListener('abort', () => done()));
    const { publish, idle, troubles } = notifier([receiver(service.url, { on: ['failed', 'action-required'] })], {
      clock: { ...waitsForNothing, sleep },
    });
    publish({ ...allWell, failures: [failing('account'), failing('state')] });
    await expect.poll(() => service.requests.length).toBe(1);
    publish({ ...awaiting, failures: [failing('account'), failing('state')] });
    await expect.poll(() => eventsOf(service)).toEqual(['failed', 'action-required']);
    refuses = false;
    publish({ ...awaiting, failures: [failing('account'), failing('state'), failing('lock')] });
    await idle();
    expect(eventsOf(service)).toEqual(['failed', 'action-required', 'failed']);
    expect(JSON.parse(service.requests[2]?.body ?? '')).toMatchObject({
      title: expect.stringMatching(/: 3 failures$/) as string,
      items: ['account', 'state', 'lock'].map((scope) => ({ scope })),
    });
    expect(troubles).toEqual([]);
  });

  test('that does not accept a notification of an exposed edge gets it with what else of the edge is exposed later', async () => {
    let asked = 0;
    const service = await httpService((_, response) => response.writeHead(++asked === 1 ? 500 : 200).end());
    const sleep: Clock['sleep'] = (_, signal) => new Promise((done) => signal?.addEventListener('abort', () => done()));
    const { publish, idle } = notifier([receiver(service.url, { on: ['exposed'] })], {
      clock: { ...waitsForNothing, sleep },
    });
    const exposed = ['shop', 'admin'].map((host) => {
      const url = `https://${host}.example`;
      return { address: 'HTTPSEdge/web' as const, message: `${url} is already public`, urls: [url] };
    });
    publish({ ...allWell, exposures: exposed.slice(0, 1) });
    await expect.poll(() => service.requests.length).toBe(1);
    publish({ ...allWell, exposures: exposed });
    await idle();
    expect(JSON.parse(service.requests[1]?.body ?? '')).toMatchObject({
      items: exposed.map(({ message }) => ({ message })),
    });
  });

  test('that gets no failure for a while does not get it after its recovery', async () => {
    let asked = 0;
    const service = await httpService((_, response) => response.writeHead(++asked === 1 ? 500 : 200).end());
    const sleep: Clock['sleep'] = (_, signal) => new Promise((done) => signal?.addEventListener('abort', () => done()));
    const { publish, idle } = notifier([receiver(service.url, { on: ['failed', 'recovered'] })], {
      clock: { ...waitsForNothing, sleep },
    });
    publish({ ...allWell, failures: [failing('account')] });
    await expect.poll(() => service.requests.length).toBe(1);
    publish(allWell);
    await idle();
    expect(eventsOf(service)).toEqual(['failed', 'recovered']);
  });

  test('that takes long for a failure gets its recovery after it', async () => {
    let respond: () => void = () => undefined;
    const service = await httpService((_, response) => {
      respond = () => response.writeHead(200).end();
      if (service.requests.length > 1) respond();
    });
    const { publish, idle } = notifier([receiver(service.url, { on: ['failed', 'recovered', 'action-required'] })]);
    publish({ ...allWell, failures: [failing('account')] });
    await expect.poll(() => service.requests.length).toBe(1);
    publish(awaiting);
    await new Promise((done) => setTimeout(done, 100));
    expect(eventsOf(service)).toEqual(['failed']);
    respond();
    await idle();
    expect(eventsOf(service)).toEqual(['failed', 'recovered', 'action-required']);
  });

  test('that gets no request for an approval for a while does not get it once nothing requires one', async () => {
    const service = await httpService((_, response) => response.writeHead(500).end());
    const sleep: Clock['sleep'] = (_, signal) => new Promise((done) => signal?.addEventListener('abort', () => done()));
    const { publish, idle } = notifier([receiver(service.url)], { clock: { ...waitsForNothing, sleep } });
    publish(awaiting);
    await expect.poll(() => service.requests.length).toBe(1);
    publish(allWell);
    await idle();
    expect(eventsOf(service)).toEqual(['action-required']);
  });
});

describe('a message to Slack', () => {
  test('holds texts as they are, without markup, mentions or links', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 20 }), (texts) => {
        for (const news of openNotifications(statusOfTexts(['<!channel>', '<http://evil.example|here>', ...texts]))) {
          const message = JSON.parse(notificationMessage(news, 'slack', undefined, noon).body) as {
            text: string;
            blocks: readonly { text: { type: string; text: string } }[];
          };
          expect(message).toMatchObject({ parse: 'none', link_names: false, unfurl_links: false });
          expect(message.text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
          expect(message.blocks.map(({ text }) => text.type)).toEqual(['plain_text']);
          expect(message.blocks[0]!.text.text.length).toBeLessThanOrEqual(3000);
        }
      }),
      { numRuns: 100 },
    );
  });
});
