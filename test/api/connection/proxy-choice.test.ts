import { describe, expect, test } from 'vitest';
import { proxyFor, type ProxySettings } from '../../../src/api/connection/proxy-choice.ts';
import { parseProxy } from '../../../src/api/connection/proxy.ts';

function chosen(url: string, settings: Partial<ProxySettings>): string | undefined {
  const proxy = proxyFor(new URL(url), { env: {}, ...settings });
  return proxy === undefined ? undefined : `${proxy.name} from ${proxy.from}`;
}

const api = 'https://api.example.com';

describe('the proxy of a URL', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    [api, {}, undefined],
    [api, { HTTPS_PROXY: 'http://upper:1' }, 'upper:1 from HTTPS_PROXY'],
    [api, { HTTPS_PROXY: 'http://upper:1', https_proxy: 'http://lower:1' }, 'lower:1 from https_proxy'],
    [api, { HTTPS_PROXY: 'http://upper:1', https_proxy: ' ' }, 'upper:1 from HTTPS_PROXY'],
    [api, { HTTP_PROXY: 'http://plain:1' }, undefined],
    ['http://hooks.example.com', { HTTP_PROXY: 'plain:1', HTTPS_PROXY: 'http://tls:1' }, 'plain:1 from HTTP_PROXY'],
    ['http://hooks.example.com', { HTTPS_PROXY: 'http://tls:1' }, undefined],
    ['https://localhost:8443', { HTTPS_PROXY: 'http://upper:1' }, undefined],
    ['https://127.0.0.1:8443', { HTTPS_PROXY: 'http://upper:1' }, undefined],
    ['https://[::1]:8443', { HTTPS_PROXY: 'http://upper:1' }, undefined],
  ])('%s with %j is %s', (url, env, proxy) => {
    expect(chosen(url, { env })).toBe(proxy);
  });

  const given = { text: 'http://own:1', from: 'SLUICE_PROXY' };

  test('given for sluice comes before the standard variables, and NO_PROXY before both', () => {
    expect(chosen(api, { given, env: { HTTPS_PROXY: 'http://upper:1' } })).toBe('own:1 from SLUICE_PROXY');
    expect(chosen(api, { given, env: { NO_PROXY: 'example.com' } })).toBeUndefined();
    expect(chosen(api, { given, env: { NO_PROXY: 'example.com', no_proxy: 'other' } })).toBe('own:1 from SLUICE_PROXY');
  });

  test('given for sluice is used for this machine by https, and never by plain http, which it could read', () => {
    expect(chosen('https://localhost:8443', { given })).toBe('own:1 from SLUICE_PROXY');
    for (const url of [
      'http://localhost:80',
      'http://127.9.9.9',
      'http://[::1]',
      'http://emulator.invalid',
      'http://api.localhost',
    ])
      expect(chosen(url, { given, env: { HTTP_PROXY: 'http://upper:1' } })).toBeUndefined();
  });

  test.each<[string, string, boolean]>([
    [api, '*', true],
    [api, 'api.example.com', true],
    [api, 'EXAMPLE.com', true],
    [api, '.example.com', true],
    [api, '*.example.com', true],
    ['https://example.com', '.example.com', true],
    ['https://badexample.com', 'example.com', false],
    ['https://api.example.com.', 'example.com.', true],
    [api, 'a.example.org, api.example.com', true],
    [api, 'a.example.org api.example.com', true],
    [api, 'example.com:443', true],
    [api, 'example.com:8443', false],
    ['https://api.example.com:8443', 'example.com:8443', true],
    ['http://api.example.com', 'example.com:80', true],
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '10.1.2.3', true],
    ['https://10.1.2.3', '1.2.3', false],
    ['https://10.1.2.3:8443', '10.1.2.3:443', false],
    ['https://[fd00::17]', 'fd00::17', true],
    ['https://[fd00::17]', '[fd00:0:0::17]:443', true],
    ['https://[fd00::17]', '[fd00::17]:8443', false],
    ['https://[fd00::17]', 'fd00::/8', true],
    ['https://[fd00::17]', '10.0.0.0/8', false],
    ['https://10.1.2.3', '10.0.0.0/33', false],
    ['https://10.1.2.3', '10.0.0.0/', false],
    ['https://10.example.com', '10.0.0.0/8', false],
    [api, '', false],
    [api, ' , ,', false],
    [api, '.', false],
    [api, 'example.*', false],
  ])('%s with NO_PROXY="%s": direct is %s', (url, list, isDirect) => {
    expect(chosen(url, { given, env: { NO_PROXY: list } }) === undefined).toBe(isDirect);
  });
});

describe('the URL of a proxy', () => {
  test.each([
    ['http://proxy.corp:3128', 'http:', 'proxy.corp:3128', undefined],
    ['proxy.corp:3128', 'http:', 'proxy.corp:3128', undefined],
    ['proxy.corp', 'http:', 'proxy.corp:80', undefined],
    [' proxy.corp:3128\n', 'http:', 'proxy.corp:3128', undefined],
    ['https://proxy.corp/', 'https:', 'proxy.corp:443', undefined],
    ['http://[fd00::1]:3128', 'http:', '[fd00::1]:3128', undefined],
    ['http://u:p%40ss@proxy.corp:3128', 'http:', 'proxy.corp:3128', 'u:p@ss'],
    ['u@proxy.corp:3128', 'http:', 'proxy.corp:3128', 'u:'],
  ])('%s', (text, protocol, name, credentials) => {
    const proxy = parseProxy({ text, from: 'SLUICE_PROXY' });
    expect(proxy).toMatchObject({ protocol, name });
    const header = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
    expect(proxy.authorization).toBe(header);
  });

  test.each([
    'socks5://canary@proxy:1080',
    'http://canary@proxy:99999',
    'http://canary:%zz@proxy:1',
    'http://wpad/canary.pac',
    'http://proxy:1?canary',
    'http://proxy:1#canary',
    'http://',
    'canary proxy',
  ])('is refused without being repeated: %s', (text) => {
    const parsed = (): unknown => parseProxy({ text, from: 'HTTPS_PROXY' });
    expect(parsed).toThrow(expect.objectContaining({ code: 'INVALID_PROXY' }));
    expect(parsed).toThrow(/^HTTPS_PROXY /);
    expect(parsed).not.toThrow(/canary/);
  });
});
