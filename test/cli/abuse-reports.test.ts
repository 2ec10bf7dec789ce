import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fleet, interruptedAsleep, type Fleet } from './fleet.ts';
import { directory } from './terminal.ts';

const create = ['abuse-reports', 'create'];
const bad = 'https://bad.example.com/login';

describe('abuse-reports create', () => {
  test('reports URLs and shows what was filed', async () => {
    const { sluice } = await fleet([]);
    const { code, out, err } = await sluice([...create, bad, 'http://worse.example.com', '--metadata', 'ticket 4711']);
    expect(code).toBe(0);
    expect(out).toMatch(/^id +abrp_\w+$/m);
    expect(out).toMatch(/^urls +https:\/\/bad\.example\.com\/login, http:\/\/worse\.example\.com$/m);
    expect(out).toMatch(/^metadata +ticket 4711$/m);
    expect(out).toMatch(/\nHOSTNAME +STATUS\nbad\.example\.com +PENDING\nworse\.example\.com +PENDING\n$/);
    expect(err).toMatch(/^Reported 2 URLs; the id of the report is abrp_\w+\n$/);
  });

  test('takes URLs from arguments, files and standard input, each once', async () => {
    const { sluice, emulator } = await fleet([]);
    const dir = await directory({ 'urls.txt': `# seen on Monday\r\n\r\n  https://c.example.com  \r\n${bad}\r\n` });
    const stdin = (): Promise<Buffer> =>
      Promise.resolve(Buffer.from('https://d.example.com\nHTTPS://BAD.example.com/login'));
    const io = { cwd: dir, stdin };
    expect((await sluice([...create, bad, '-', '--file', 'urls.txt'], io)).code).toBe(0);
    expect(sent(emulator)).toEqual([bad, 'https://d.example.com', 'https://c.example.com']);
    await sluice([...create, '--file', '-'], io);
    expect(sent(emulator)).toEqual(['https://d.example.com', 'HTTPS://BAD.example.com/login']);
  });

  test('names everything that is no web address, and reports nothing', async () => {
    const { sluice, emulator } = await fleet([]);
    const dir = await directory();
    await writeFile(join(dir, 'urls.txt'), `${bad}\nftp://c.example.com\n\u{1b}[2Jhttps://d`);
    const { code, err } = await sluice([...create, 'bad.example.com', '--file', 'urls.txt'], { cwd: dir });
    expect(code).toBe(8);
    expect(err).toContain('argument 1: "bad.example.com", urls.txt:2: "ftp://c.example.com", urls.txt:3: ');
    expect(err).not.toContain('\u{1b}');
    expect(emulator.log).toEqual([]);
  });

  test.each([
    [[], 'no URLs to report'],
    [['--file', 'nowhere.txt'], 'nowhere.txt does not exist'],
    [[bad, '--metadata', 'ü'.repeat(2049)], 'is 4098 bytes long'],
    [['https://'], 'not an http or https URL'],
    [['javascript:alert(1)'], 'not an http or https URL'],
  ])('refuses %j', async (args, reported) => {
    const { sluice, emulator } = await fleet([]);
    const { code, err } = await sluice([...create, ...args]);
    expect(code).toBe(8);
    expect(err).toContain(reported);
    expect(emulator.log).toEqual([]);
  });

  test('says plainly that the account has no access, with exit code 7', async () => {
    const { sluice } = await fleet([], { abuseReports: 'refused' });
    for (const args of [
      [...create, bad],
      ['abuse-reports', 'get', 'abrp_1'],
    ]) {
      const { code, err } = await sluice(args);
      expect(code).toBe(7);
      expect(err).toContain('the account is not authorized to use abuse reports');
    }
    const { code, out } = await sluice([...create, bad, '--format', 'json']);
    expect(code).toBe(7);
    expect(JSON.parse(out)).toMatchObject({
      error: { code: 'ACCESS_DENIED', hint: expect.stringContaining('operator') as string },
    });
  });

  test('is unknown when the response was lost, and is never sent again', async () => {
    for (const how of ['reset', 'cut'] as const) {
      const { sluice, emulator } = await fleet([]);
      emulator.intercept(async (_, next) => ({
        ...(await next()),
        broken: how === 'cut' ? { how, after: 10 } : { how },
      }));
      const { code, out, err } = await sluice([...create, bad, '--wait', '--format', 'json']);
      expect(code).toBe(6);
      expect(err).toContain('the report may have been filed and is not sent again');
      expect(JSON.parse(out)).toMatchObject({ ending: 'unknown', report: null });
      expect(emulator.log).toHaveLength(1);
    }
  });
});

describe('abuse-reports --wait', () => {
  test('polls with increasing pauses until every hostname is processed', async () => {
    const { sluice, emulator, clock } = await fleet([]);
    const { code, out, err } = await sluice([...create, bad, 'https://c.example.com', '--wait', '--format', 'yaml']);
    expect(code).toBe(0);
    expect(parse(out)).toMatchObject({ ending: 'done', report: { status: 'PROCESSED' } });
    expect(err).toContain('PENDING: 0 of 2 hostnames processed\nPARTIALLY_PROCESSED: 1 of 2 hostnames processed\n');
    expect(clock.now()).toBeGreaterThan(120_000);
    expect(emulator.log.length).toBeLessThan(15);
  });

  test('gives up after --timeout, and reports how to go on', async () => {
    const { sluice, clock } = await fleet([]);
    const { code, out, err } = await sluice([...create, bad, '--wait', '--timeout', '30']);
    expect(code).toBe(1);
    const [id = ''] = /abrp_\w+/.exec(out) ?? [];
    expect(err).toContain(`To keep waiting, run: sluice abuse-reports get ${id} --wait`);
    expect(clock.now()).toBe(30_000);
    expect((await sluice(['abuse-reports', 'get', id, '--wait'])).out).toMatch(/^status +PROCESSED$/m);
  });

  test('ends with Ctrl-C, and shows what it knows', async () => {
    const { sluice, clock } = await fleet([]);
    const { code, out } = await sluice([...create, bad, '--wait'], interruptedAsleep(clock));
    expect(code).toBe(130);
    expect(out).toMatch(/^status +PENDING$/m);
  });

  test.each(['{"status":"PENDING"}', '{"id":"","status":"PENDING"}', '{"id":7}', '{}'])(
    'says that the report was filed where the response has no id to wait with: %s',
    async (body) => {
      const { sluice, emulator } = await fleet([]);
      emulator.intercept(() => Promise.resolve({ status: 201, headers: { 'content-type': 'application/json' }, body }));
      const { code, out, err } = await sluice([...create, bad, '--wait', '--format', 'json']);
      expect(code).toBe(6);
      expect(JSON.parse(out)).toMatchObject({ ending: 'done', report: JSON.parse(body) as unknown });
      expect(err).toContain('The report was filed, but the response contains no id');
      expect(err).not.toMatch(/abuse-reports get|after \d+ s/);
      expect((await sluice([...create, bad])).code).toBe(0);
    },
  );

  test('waits with the id that was asked for, also where a response has none', async () => {
    const { sluice, emulator, clock } = await fleet([]);
    const [id = ''] = /abrp_\w+/.exec((await sluice([...create, bad])).out) ?? [];
    emulator.intercept(async (_, next) => {
      const answer = await next();
      return { ...answer, body: answer.body.replace(/"id":\s*"[^"]*",?/, '') };
    });
    expect((await sluice(['abuse-reports', 'get', id, '--wait'])).out).toMatch(/^status +PROCESSED$/m);
    expect(clock.now()).toBeGreaterThan(10_000);
  });

  test('that cannot look any more shows what was filed, as one document', async () => {
    const { sluice, emulator } = await fleet([]);
    emulator.intercept(({ method }, next) =>
      method === 'GET'
        ? { status: 404, headers: { 'content-type': 'application/json' }, body: '{"msg":"gone"}' }
        : next(),
    );
    const { code, out, err } = await sluice([...create, bad, '--wait', '--format', 'json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ report: { status: 'PENDING' } });
    expect(err).toContain('returned 404');
  });
});

describe('abuse-reports get', () => {
  test('shows a report, and reports when there is none', async () => {
    const { sluice } = await fleet([]);
    const [id = ''] = /abrp_\w+/.exec((await sluice([...create, bad])).out) ?? [];
    for (const format of ['json', 'yaml'])
      expect(parse((await sluice(['abuse-reports', 'get', id, '--format', format])).out)).toMatchObject({
        report: { id, urls: [bad], hostnames: [{ hostname: 'bad.example.com' }] },
      });
    const { code, err } = await sluice(['abuse-reports', 'get', 'abrp_nothing']);
    expect(code).toBe(1);
    expect(err).toContain('the API cannot list abuse reports');
  });
});

/** The URLs of the latest report. */
function sent(emulator: Fleet['emulator']): unknown {
  return (JSON.parse(emulator.log.at(-1)?.body ?? '{}') as { urls?: unknown }).urls;
}
