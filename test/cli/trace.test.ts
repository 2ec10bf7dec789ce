import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectHarmlessText } from '../render/harmless.ts';
import { company, sluice, stack } from './terminal.ts';

const env = { SLUICE_API_KEY: 'any' };
const url = 'https://shop.example.com';

/** The company as applied; then its manifests have another route, which requires authentication. */
async function applied(): Promise<string> {
  const dir = await stack(company);
  expect((await sluice(dir, 'apply --auto-approve', { env })).code).toBe(0);
  const file = join(dir, 'manifests/company.yaml');
  const admin =
    '    - {match_type: path_prefix, match: /admin, backend: {backend_id: bkd_2}, oauth: {provider: {google: {}}}}\n';
  await writeFile(file, (await readFile(file, 'utf8')) + admin);
  return dir;
}

describe('trace', () => {
  test('shows what becomes of a request now, as planned, and by a saved plan', async () => {
    const dir = await applied();
    const now = await sluice(dir, `trace GET ${url}/admin`, { env });
    expect([now.code, now.out]).toEqual([
      0,
      expect.stringMatching(/^GET https:\/\/shop\.example\.com\/admin\n[^]*passes: anyone can send the request\n$/),
    ]);
    const planned = await sluice(dir, `trace GET ${url}/admin --planned`, { env });
    expect(planned.out).toContain('manifests/company.yaml:');
    expect(planned.out).toContain('refused: requires authentication (anyone with a Google account)\n');
    expect((await sluice(dir, 'plan --out a.plan', { env })).code).toBe(0);
    expect((await sluice(dir, `trace ${url}/admin --plan a.plan`, { env })).out).toBe(planned.out);
  });

  test('as JSON', async () => {
    const dir = await applied();
    const { out } = await sluice(dir, `trace GET ${url}/admin --planned --format json`, { env });
    expect(JSON.parse(out)).toMatchObject({
      format_version: '1.0',
      request: `GET ${url}/admin`,
      answer: 'refused',
      requires: ['authentication'],
      edge: { address: 'HTTPSEdge/shop', hostport: 'shop.example.com:443' },
      route: { address: 'HTTPSEdgeRoute/shop:/admin', match: '/admin…' },
    });
  });

  test('refuses a host without the log whose requests it is for', async () => {
    const { code, err } = await sluice(await applied(), `trace GET ${url}/admin --host other.example.com`, { env });
    expect([code, err]).toEqual([8, expect.stringContaining('--host requires --log')]);
  });

  test('shows requests and routes in words that act on no terminal', async () => {
    const dir = await stack(company.replace('name: front, ', '').replace('match: /,', 'match: "/\\u202eb",'));
    const hidden = `GET ${url}/\u202eb`;
    await writeFile(join(dir, 'requests.yaml'), `- {request: "${hidden}", answer: refused, route: HTTPSEdgeRoute/x}\n`);
    const { out } = await sluice(dir, 'trace --expect requests.yaml --planned', { env });
    expect(out).toContain('got HTTPSEdgeRoute/shop:/\\u{202e}b');
    expectHarmlessText(out + (await sluice(dir, `trace ${hidden} --planned`, { env })).out);
  });

  test('checks a file of requests: 0 if all are as expected, else 3 with the lines', async () => {
    const dir = await applied();
    await writeFile(
      join(dir, 'requests.yaml'),
      `- {request: GET ${url}/, answer: passes, route: HTTPSEdgeRoute/shop:front}
- request: GET ${url}/admin
  answer: refused
  requires: [authentication]
`,
    );
    const planned = await sluice(dir, 'trace --expect requests.yaml --planned', { env });
    expect([planned.code, planned.out]).toEqual([0, '2 requests handled as expected.\n']);
    const now = await sluice(dir, 'trace --expect requests.yaml', { env });
    expect([now.code, now.out]).toEqual([
      3,
      `requests.yaml:2: GET ${url}/admin: expected refused, got passes (anyone can send the request); missing requirement: authentication
1 of 2 requests not handled as expected.
`,
    ]);
    const json = JSON.parse((await sluice(dir, 'trace --expect requests.yaml --format json', { env })).out) as object;
    expect(json).toMatchObject({ as_expected: false, requests: [{ differences: [] }, { source: 'requests.yaml:2' }] });
  });

  test('reports every line of such a file that is wrong', async () => {
    const dir = await applied();
    await writeFile(
      join(dir, 'requests.yaml'),
      `- {request: GET ${url}/, answer: yes please}\n- ${url}/\n- {request: ${url}, answer: passes}\n`,
    );
    const { code, err } = await sluice(dir, 'trace --expect requests.yaml', { env });
    expect(code).toBe(8);
    expect(err.match(/requests\.yaml:\d/g)).toEqual(['requests.yaml:1', 'requests.yaml:2', 'requests.yaml:3']);
    expect((await sluice(dir, 'trace --expect missing.yaml', { env })).code).toBe(8);
  });

  test('names the line of a syntax error in a second document of such a file', async () => {
    const dir = await applied();
    const [first, broken] = [`- {request: GET ${url}/, answer: passes}\n`, '- {request: [\n'];
    await writeFile(join(dir, 'requests.yaml'), `${first.repeat(4)}---\n${broken}`);
    const { code, err } = await sluice(dir, 'trace --expect requests.yaml', { env });
    expect([code, err]).toEqual([8, expect.stringContaining('requests.yaml:6:')]);
  });

  test.each([
    [
      '{request: GET https://x.example.com/, answer: yes please}',
      '`[0].answer` must be one of passes, refused, depends, unreachable',
    ],
    ['{request: GET x.example.com/, answer: passes}', '`[0].request` must be a method and an https URL'],
    ['{request: GET https://x.example.com/, answer: passes, rout: x}', 'did you mean `route`?'],
  ])('words the problems of such a file like those of sluice.yaml: %s', async (item, message) => {
    const dir = await stack(company);
    await writeFile(join(dir, 'requests.yaml'), `- ${item}\n`);
    const { code, err } = await sluice(dir, 'trace --expect requests.yaml', { env });
    expect([code, err]).toEqual([8, expect.stringContaining(message)]);
  });

  test('counts what a plan changes for the requests of an access log', async () => {
    const dir = await applied();
    const lines = [
      '192.0.2.1 - - [22/Nov/2026:10:00:00 +0000] "GET /admin?token=x HTTP/1.1" 200 12 "-" "curl"',
      'shop.example.com:443 192.0.2.1 - - [22/Nov/2026:10:00:00 +0000] "GET /admin HTTP/1.1" 200 12',
      '{"method": "POST", "host": "shop.example.com", "path": "/admin/new"}',
      '{"method": "GET", "url": "https://shop.example.com/"}',
      'no request',
    ];
    await writeFile(join(dir, 'access.log'), lines.join('\n'));
    const { code, out } = await sluice(dir, 'trace --log access.log --host shop.example.com', { env });
    expect([code, out]).toEqual([
      0,
      `COUNT  CHANGE                   REQUEST
2      requires authentication  GET https://shop.example.com/admin
1      requires authentication  POST https://shop.example.com/admin/new

The plan changes access for 3 of 4 requests. 1 line of the log could not be read.
`,
    ]);
    expect((await sluice(dir, 'trace --log missing.log', { env })).code).toBe(8);
  });

  test.each([
    [
      'no access log',
      '\u001f\u008b\u0000packed\n\u0001\n',
      '2 lines could not be read\n  pass an access log in the combined format, or one JSON object per line with `method`, `host` and `url`; decompress a compressed log first',
    ],
    [
      'a log without hosts',
      '192.0.2.1 - - [22/Nov/2026:10:00:00 +0000] "GET /admin HTTP/1.1" 200 12',
      '1 line could not be read\n  if the lines of the log contain no host, pass the host of the requests with --host',
    ],
  ])('of %s is an error, as nothing was counted', async (_what, text, message) => {
    const dir = await applied();
    await writeFile(join(dir, 'access.log'), text);
    const { code, out, err } = await sluice(dir, 'trace --log access.log', { env });
    expect([code, out]).toEqual([8, '']);
    expect(err).toContain(`access.log contains no readable request: ${message}`);
  });

  test('of an empty access log counts nothing', async () => {
    const dir = await applied();
    await writeFile(join(dir, 'access.log'), '');
    expect(await sluice(dir, 'trace --log access.log', { env })).toMatchObject({
      code: 0,
      out: 'The plan changes access for 0 of 0 requests.\n',
    });
  });

  test.each([
    ['trace', 'trace requires a request, --expect or --log'],
    ['trace GET http://shop.example.com/', 'run `sluice trace GET https://shop.example.com/`'],
    ['trace get shop.example.com/a', '"get shop.example.com/a" is not a method and an https URL'],
    ['trace get shop.example.com/a', 'run `sluice trace GET https://shop.example.com/a`'],
    ['trace /a', 'run `sluice trace GET https://shop.example.com/admin`'],
    [`trace GET ${url}/ --planned --plan a.plan`, '--planned and --plan cannot be used together'],
  ])('refuses %s', async (args, message) => {
    const { code, err } = await sluice(await stack(company), args, { env });
    expect([code, err]).toEqual([8, expect.stringContaining(message)]);
  });
});
